#!/usr/bin/env bash
# Builds the tests with the address sanitizer and with the thread sanitizer, and runs those that need no running system.
# usage: Scripts/sanitize.sh [address|thread] [ARGUMENT ...]     default: both, with their suites; arguments are those of `swift test`
#
# Ends with an error after a finding or a failed test; the whole output is in .build/sanitize-SANITIZER.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/suites.sh

sanitizers=(address thread)
case ${1:-} in address | thread) sanitizers=("$1") && shift ;; esac

# Commands and pages are tested with processes of their own, as the system is.
others="$system|^(CommandLineTool|Page)Tests\."

# The handler of crashes would read memory that the sanitizers guard, and hide the cause.
export SWIFT_BACKTRACE=enable=no
# Swift keeps marks in the upper bits of pointers, so what only such a pointer reaches would be taken for a leak.
export ASAN_OPTIONS="detect_leaks=0"
# A finding does not end the process, so that one run shows all of them; it fails in the end.
export TSAN_OPTIONS="suppressions=$PWD/Scripts/thread-suppressions.txt exitcode=66 second_deadlock_stack=1 history_size=4"

status=0
for sanitizer in "${sanitizers[@]}"; do
    output=.build/sanitize-$sanitizer.txt
    build=(--sanitize "$sanitizer" --scratch-path ".build/$sanitizer")
    run=(swift test --skip-build --disable-xctest "${build[@]}")
    # With this, `Lock` is visible to the thread sanitizer.
    if [ "$sanitizer" = thread ]; then build+=(-Xswiftc -DTHREAD_SANITIZER); fi
    echo "== $sanitizer sanitizer"
    Scripts/build.sh --build-tests "${build[@]}" 2>&1 | tee "$output" || { status=1 && continue; }
    if [ $# -gt 0 ]; then
        "${run[@]}" --no-parallel "$@" 2>&1 | tee -a "$output" || status=1
    else
        "${run[@]}" --no-parallel --skip "$others|$pure" 2>&1 | tee -a "$output" || status=1
        "${run[@]}" --parallel --experimental-maximum-parallelization-width "$(nproc)" --filter "$pure" 2>&1 | tee -a "$output" || status=1
    fi
    if grep -qE '(ERROR|WARNING|SUMMARY): (Address|Thread|Leak)Sanitizer' "$output"; then
        echo "error: the $sanitizer sanitizer found something; see $output" >&2
        status=1
    fi
done
exit "$status"
