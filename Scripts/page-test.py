#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Tests the Today page and the operations page in Chromium: `make browser-test`.

Runs all services with a scripted origin, and uses the pages as a user does. `--short` omits slow checks;
`--only NAME` runs one check. Ends with status 1 if a check fails. Needs chromium, chromium-driver and
python3-selenium; the check with axe-core installs that from PyPI at its first use.
"""
import argparse, os, sys, traceback
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import checks


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="omit slow checks")
    parser.add_argument("--only", metavar="NAME", help="run only checks whose name contains NAME")
    parser.add_argument("--build", default=".build/debug", help="folder with the executables (.build/debug)")
    parser.add_argument("--screenshots", metavar="FOLDER", help="write pictures of all states to FOLDER instead of testing")
    parser.add_argument("--documentation", metavar="FOLDER", help="with --screenshots: write the documentation's pictures to FOLDER")
    return parser.parse_args()


def main():
    arguments = options()
    if arguments.screenshots:
        from browser import screenshots
        screenshots.take(arguments.build, arguments.screenshots, arguments.documentation)
        return 0
    failed = 0
    for name, check, is_short in checks.ALL:
        if (arguments.short and not is_short) or (arguments.only and arguments.only not in name):
            continue
        try:
            print(f"ok      {name}: {check(arguments.build)}", flush=True)
        except Exception as error:
            failed += 1
            print(f"FAILED  {name}: {error}", flush=True)
            if not isinstance(error, AssertionError):
                traceback.print_exc()
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
