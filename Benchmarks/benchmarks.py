# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""What the benchmarks share: programs, references, and how figures are printed."""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
# Beside what the product builds, so that `make clean` removes it.
WORK = os.path.join(ROOT, ".build", "benchmarks")


def fail(message):
    sys.exit(f"error: {message}")


def executable(name):
    """The path of a program of the nested package, built for release."""
    command = ["swift", "build", "-c", "release", "--package-path", HERE, "--scratch-path", os.path.join(WORK, "swift")]
    built = subprocess.run(command + ["--product", name], capture_output=True, text=True)
    if built.returncode:
        fail(f"{name} does not build:\n{built.stdout}{built.stderr}")
    shown = subprocess.run(command + ["--show-bin-path"], capture_output=True, text=True, check=True)
    return os.path.join(shown.stdout.strip(), name)


def product(name):
    """The path of one of the product's own executables, built for release."""
    command = ["swift", "build", "-c", "release", "--package-path", ROOT]
    built = subprocess.run(command + ["--product", name], capture_output=True, text=True)
    if built.returncode:
        fail(f"{name} does not build:\n{built.stdout}{built.stderr}")
    return os.path.join(ROOT, ".build", "release", name)


def python(*packages):
    """A Python with these packages, in a folder of its own."""
    folder = os.path.join(WORK, "python-" + "-".join(packages))
    interpreter = os.path.join(folder, "bin", "python")
    if not os.path.exists(os.path.join(folder, "complete")):
        made = subprocess.run([sys.executable, "-m", "venv", "--clear", folder], capture_output=True, text=True)
        if made.returncode:
            fail(f"no virtual environment can be made; install python3-venv:\n{made.stdout}{made.stderr}")
        got = subprocess.run([interpreter, "-m", "pip", "install", "-q", *packages], capture_output=True, text=True)
        if got.returncode:
            fail(f"{' '.join(packages)} cannot be installed:\n{got.stderr}")
        open(os.path.join(folder, "complete"), "w").close()
    return interpreter


def on_one_core():
    """Keeps this process and its children on one core: the last one, which interrupts visit least."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def figure(name, ours, reference, unit, least=None):
    """Prints one line of two figures and their ratio; true where it reaches `least`."""
    ratio = ours / reference
    good = least is None or ratio >= least
    wanted = "" if least is None else f"   at least {least:g} wanted: {'reached' if good else 'NOT REACHED'}"
    print(f"{name:<44} {ours:>9.1f} {unit:<8} reference {reference:>9.1f} {unit:<8} ratio {ratio:6.2f}{wanted}", flush=True)
    return good
