# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Installs tools from PyPI into virtual environments in .build.

usage: tools.py NAME PACKAGE ...     prints the folder of the environment with these packages as its last line
"""
import pathlib, subprocess, sys, venv

FOLDER = pathlib.Path(__file__).resolve().parent.parent / ".build"
INSTALL_SECONDS = 900


class NotInstalled(Exception):
    pass


def environment(name, packages, *options):
    """Returns the folder of a virtual environment with these packages; installs them at the first call."""
    folder = FOLDER / name
    done = folder / "installed"
    if not done.exists() or done.read_text() != "\n".join(packages):
        print(f"installing {packages[0]}", flush=True)
        command = [folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile", *options, *packages]
        try:
            venv.create(folder, with_pip=True, clear=True)
            subprocess.run(command, capture_output=True, text=True, check=True, timeout=INSTALL_SECONDS)
        except subprocess.SubprocessError as error:
            reason = getattr(error, "stderr", None) or getattr(error, "output", None) or error
            raise NotInstalled(f"{packages[0]} was not installed: {str(reason).strip()[-500:]}") from None
        done.write_text("\n".join(packages))
    return folder


if __name__ == "__main__":
    print(environment(sys.argv[1], sys.argv[2:]))
