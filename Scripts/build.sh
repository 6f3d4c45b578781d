#!/usr/bin/env bash
# Builds for debugging, to .build/debug.
# usage: Scripts/build.sh [ARGUMENT ...]     the arguments are those of `swift build`
#
# The compiler reads each module as a whole. With a few files at a time, it reads all imports again for each of them, and a build of
# all tests takes half as long again (330 s instead of 215 s on two cores).
set -euo pipefail
cd "$(dirname "$0")/.."
flags=()
for flag in -whole-module-optimization -num-threads "$(nproc)" -disable-batch-mode; do flags+=(-Xswiftc "$flag"); done
# SwiftPM always asks for an incremental compilation, too, and the compiler's remark on that cannot be switched off.
swift build "${flags[@]}" "$@" 2>&1 | sed --unbuffered '/^remark: Incremental compilation has been disabled/d'
