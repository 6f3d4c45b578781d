# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Installs Selenium and axe-core into a virtual environment in .build at the first use."""
import os, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ENVIRONMENT = os.path.join(ROOT, ".build", "browser")
# Only the script in this package is used, so its dependencies are not installed.
AXE = "axe-playwright-python==0.1.8"


def enter():
    """Restarts this program in the environment, unless it already runs there."""
    if os.path.realpath(sys.prefix) == os.path.realpath(ENVIRONMENT):
        return
    python = os.path.join(ENVIRONMENT, "bin", "python")
    mark = os.path.join(ENVIRONMENT, "complete")
    if not os.path.exists(mark):
        here = os.path.dirname(os.path.abspath(__file__))
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        for command in (
            [sys.executable, "-m", "venv", ENVIRONMENT],
            [*install, "--requirement", os.path.join(here, "requirements.txt")],
            [*install, "--no-deps", AXE],
        ):
            result = subprocess.run(command, capture_output=True, text=True)
            if result.returncode != 0:
                sys.exit(f"error: '{' '.join(command)}' failed:\n{result.stdout}{result.stderr}")
        open(mark, "w").close()
    os.execv(python, [python, *sys.argv])


def axe_script():
    """Returns the source text of axe-core."""
    folder = os.path.join(ENVIRONMENT, "lib", f"python3.{sys.version_info.minor}", "site-packages")
    for path, _, names in os.walk(os.path.join(folder, "axe_playwright_python")):
        for name in names:
            if name == "axe.min.js":
                with open(os.path.join(path, name), encoding="utf-8") as file:
                    return file.read()
    raise FileNotFoundError(f"there is no axe.min.js below {folder}; remove {ENVIRONMENT} and try again")
