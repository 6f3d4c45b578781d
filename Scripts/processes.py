# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""What Linux knows about a process: its memory, its processor time, its open files and its children."""
import contextlib, os, pathlib


def memory(pid, line="VmRSS"):
    """Returns the resident memory in KiB; with "VmHWM", its maximum so far."""
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(one.split()[1]) for one in lines if one.startswith(f"{line}:"))


def processor_seconds(pid):
    """Returns the processor time so far."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(errors="replace").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def descriptors(pid):
    """Returns the number of open files."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def children(parent):
    """Returns {process id: name} of the children of a process."""
    found = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            pid, _, rest = path.read_text(errors="replace").partition(" (")
            name, _, fields = rest.rpartition(") ")
            if int(fields.split()[1]) == parent:
                found[int(pid)] = name
    return found


def child(parent, name):
    """Returns the process id of a child; raises ProcessLookupError if there is none of this name."""
    for pid, found in children(parent).items():
        if found == name:
            return pid
    raise ProcessLookupError(f"{name} does not run")
