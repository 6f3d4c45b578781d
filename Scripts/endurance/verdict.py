# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Runs a check, and prints how it ended."""
import sys

SHOWN = 10


def run(main):
    """Runs a check, and ends this process with its status."""
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)


def conclude(violations, passed, again=None, shown=SHOWN):
    """Prints the first violations, or the sentence `passed`; returns the exit status. `again` is the command that repeats the run."""
    for violation in violations[:shown]:
        print(f"VIOLATION: {violation}")
    if len(violations) > shown:
        print(f"… and {len(violations) - shown} more")
    if violations:
        print(f"\nFAILED; again with: {again}" if again else "FAILED")
        return 1
    print(passed)
    return 0
