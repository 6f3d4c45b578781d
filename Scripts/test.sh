#!/usr/bin/env bash
# Builds and runs all tests, and shows their output; after a failure, the issues again as the last lines.
#
# Two lanes that take about the same time run side by side: the tests of the running system, of layouts and of pure modules, and
# all others. With arguments, there is one lane; they choose tests, as those of `swift test` do.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/suites.sh

mkdir -p .build
output=.build/test-output.txt
others=.build/test-output-others.txt

# Prints the number of tests that passed; fails if this is not the output of `$2` runs that passed and had tests.
passed() {
    awk -v wanted="$2" '
        match($0, /Test run with [1-9][0-9]* tests? .*passed after/) { split(substr($0, RSTART), words); tests += words[4]; runs++ }
        END { print tests + 0; exit runs != wanted }' "$1"
}

# Ends with the total if all runs passed, and with the issues otherwise.
finish() {
    local status=$1 runs=$2 tests
    if ! tests=$(passed "$output" "$runs") && [ "$status" -eq 0 ]; then
        echo "error: a test run did not end, or had no test" | tee -a "$output"
        status=1
    fi
    if [ "$status" -eq 0 ]; then
        echo "$tests tests passed in $((SECONDS / 60)) min $((SECONDS % 60)) s."
        exit 0
    fi
    echo
    echo "The tests failed with status $status. The whole output is in $output; its errors:"
    # The lines after an issue belong to it until the next line of the test runner: they are its comments and logs.
    awk '/^✘/ { issue = 1; print; next } /^[◇✔]/ { issue = 0 } issue { print; next } /error: |^Fatal error/' "$output" |
        cut -c 1-1000 | tail -n 100
    exit "$status"
}

status=0
run=(swift test --skip-build --ignore-lock --disable-xctest)
Scripts/build.sh --build-tests 2>&1 | tee "$output" || finish $? 0
SECONDS=0
if [ $# -gt 0 ]; then
    "${run[@]}" --no-parallel "$@" 2>&1 | tee -a "$output" || status=$?
    finish "$status" 1
fi

: > "$others"
# In a process group of its own, so that it can be ended with all its processes.
set -m
nice -n 5 "${run[@]}" --no-parallel --skip "$system|$layouts|$pure" > "$others" 2>&1 < /dev/null &
lane=$!
set +m
trap 'kill -- "-$lane" 2> /dev/null || true' EXIT
"${run[@]}" --no-parallel --filter "$system|$layouts" 2>&1 | tee -a "$output" || status=$?
"${run[@]}" --parallel --experimental-maximum-parallelization-width "$(nproc)" --filter "$pure" 2>&1 | tee -a "$output" || status=$?
tail --pid="$lane" -n +1 -f "$others" | tee -a "$output"
wait "$lane" || status=$?
finish "$status" 3
