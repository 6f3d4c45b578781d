# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""A test of several cases, each of which prints one line."""
import shutil, time


class Failure(Exception):
    pass


def check(condition, message):
    """Fails with a message if a condition does not hold."""
    if not condition:
        raise Failure(message)


def wait(what, condition, within=20, pause=0.1):
    """Waits until a condition holds; fails if it does not in time."""
    deadline = time.monotonic() + within
    while not condition():
        check(time.monotonic() < deadline, f"{what} did not happen within {within} s")
        time.sleep(pause)


def program(name, package=None):
    """Returns the path of a program; fails with the name of its package if it is missing."""
    path = shutil.which(name)
    check(path, f"{name} is missing: apt-get install {package or name}")
    return path


def add_option(parser, cases):
    parser.add_argument("--only", nargs="*", choices=[case.__name__ for case in cases])


def run(cases, only, *arguments, errors=()):
    """Runs all cases, or only some; returns the names of those that failed."""
    failed = []
    for case in cases:
        if only and case.__name__ not in only:
            continue
        try:
            print(f"ok     {case.__name__}: {case(*arguments)}", flush=True)
        except (Failure, OSError, *errors) as failure:
            failed.append(case.__name__)
            print(f"FAILED {case.__name__}: {failure}", flush=True)
    return failed
