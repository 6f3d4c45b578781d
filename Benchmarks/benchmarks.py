# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Shared code of the benchmarks: building programs, Python environments, and printing figures."""
import os
import statistics
import subprocess
import sys

import tools

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
# In the build folder, so that `make clean` removes it.
WORK = os.path.join(ROOT, ".build", "benchmarks")


def fail(message):
    sys.exit(f"error: {message}")


def executable(name):
    """Builds a program of this package for release and returns its path."""
    command = ["swift", "build", "-c", "release", "--package-path", HERE, "--scratch-path", os.path.join(WORK, "swift")]
    built = subprocess.run(command + ["--product", name], capture_output=True, text=True)
    if built.returncode:
        fail(f"{name} does not build:\n{built.stdout}{built.stderr}")
    shown = subprocess.run(command + ["--show-bin-path"], capture_output=True, text=True, check=True)
    return os.path.join(shown.stdout.strip(), name)


def product(name):
    """Builds an executable of Tidings for release and returns its path."""
    command = ["swift", "build", "-c", "release", "--package-path", ROOT]
    built = subprocess.run(command + ["--product", name], capture_output=True, text=True)
    if built.returncode:
        fail(f"{name} does not build:\n{built.stdout}{built.stderr}")
    return os.path.join(ROOT, ".build", "release", name)


def python(*packages):
    """Installs packages into a virtual environment and returns the path of its Python."""
    try:
        return str(tools.environment("benchmarks/python-" + "-".join(packages), packages) / "bin" / "python")
    except tools.NotInstalled as problem:
        fail(problem)


def on_one_core():
    """Binds this process and its children to one core: the last one, which has the fewest interrupts."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def figure(name, ours, reference, unit, least=None, ratios=None):
    """Prints two figures and their ratio in one line. Returns true if the ratio is at least `least`.

    If `ours` and `reference` are medians of several turns, `ratios` contains the ratio of each turn. The median, the
    minimum and the maximum of `ratios` are then printed instead.
    """
    ratio = statistics.median(ratios) if ratios else ours / reference
    spread = f" ({min(ratios):.2f} to {max(ratios):.2f})" if ratios else ""
    good = least is None or ratio >= least
    wanted = "" if least is None else f"   at least {least:g} wanted: {'reached' if good else 'NOT REACHED'}"
    print(f"{name:<44} {ours:>9.1f} {unit:<8} reference {reference:>9.1f} {unit:<8} ratio {ratio:6.2f}{spread}{wanted}", flush=True)
    return good
