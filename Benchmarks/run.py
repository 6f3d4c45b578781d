#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Runs benchmarks. Each prints its figures and those of a reference, measured in the same run.

usage: run.py [NAME ...]     default: all of them

A benchmark is a folder here with an executable file `run`; it builds its programs with `benchmarks.py`, beside this file.
The exit status is 1 if a benchmark failed, or did not reach its required ratio.
"""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    names = sorted(n for n in os.listdir(HERE) if os.access(os.path.join(HERE, n, "run"), os.X_OK))
    chosen = sys.argv[1:] or names
    unknown = [n for n in chosen if n not in names]
    if unknown:
        sys.exit(f"error: there is no benchmark '{unknown[0]}'; there are: {', '.join(names)}")
    environment = dict(os.environ, PYTHONPATH=f"{HERE}:{os.path.dirname(HERE)}/Scripts", PYTHONDONTWRITEBYTECODE="1")
    failed = []
    for name in chosen:
        print(f"== {name}", flush=True)
        if subprocess.run([os.path.join(HERE, name, "run")], env=environment).returncode:
            failed.append(name)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
