# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Installs axe-core into a virtual environment in .build at its first use; Selenium is a Debian package."""
import tools

# Only the script in this package is used, so its dependencies are not installed.
AXE = "axe-playwright-python==0.1.8"


def axe_script():
    """Returns the source text of axe-core."""
    folder = tools.environment("browser", [AXE], "--no-deps")
    for path in folder.glob("lib/*/site-packages/axe_playwright_python/**/axe.min.js"):
        return path.read_text(encoding="utf-8")
    raise FileNotFoundError(f"there is no axe.min.js below {folder}; remove it and try again")
