# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Installs axe-core into a virtual environment in .build at its first use; Selenium is a Debian package."""
import os, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ENVIRONMENT = os.path.join(ROOT, ".build", "browser")
# Only the script in this package is used, so its dependencies are not installed.
AXE = "axe-playwright-python==0.1.8"


def install():
    """Installs axe-core, unless it is installed already."""
    mark = os.path.join(ENVIRONMENT, "complete")
    if os.path.exists(mark):
        return
    python = os.path.join(ENVIRONMENT, "bin", "python")
    for command in (
        [sys.executable, "-m", "venv", ENVIRONMENT],
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", AXE],
    ):
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"error: '{' '.join(command)}' failed:\n{result.stdout}{result.stderr}")
    open(mark, "w").close()


def axe_script():
    """Returns the source text of axe-core."""
    install()
    folder = os.path.join(ENVIRONMENT, "lib", f"python3.{sys.version_info.minor}", "site-packages")
    for path, _, names in os.walk(os.path.join(folder, "axe_playwright_python")):
        for name in names:
            if name == "axe.min.js":
                with open(os.path.join(path, name), encoding="utf-8") as file:
                    return file.read()
    raise FileNotFoundError(f"there is no axe.min.js below {folder}; remove {ENVIRONMENT} and try again")
