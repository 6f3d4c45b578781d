#!/usr/bin/env bash
# Runs the tests and shows their output; after a failure, the issues again as the last lines. Arguments are passed to `swift test`.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p .build
output=.build/test-output.txt
status=0
# Tests run one after the other: many start processes and servers, and their deadlines assume an idle machine.
swift test --no-parallel "$@" 2>&1 | tee "$output" || status=$?
if [ "$status" -ne 0 ]; then
    echo
    echo "The tests failed with status $status. The whole output is in $output; its errors:"
    # The lines after an issue belong to it until the next line of the test runner: they are its comments and logs.
    awk '/^✘/ { issue = 1; print; next } /^[◇✔]/ { issue = 0 } issue { print; next } /error: |^Fatal error/' "$output" |
        cut -c 1-1000 | tail -n 100
fi
exit "$status"
