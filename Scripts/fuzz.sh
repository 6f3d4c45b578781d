#!/usr/bin/env bash
# Builds a fuzzing target for each parser (libFuzzer with the address sanitizer) and runs each for a limited time.
# usage: Scripts/fuzz.sh [NAME ...]     default: all in Fuzzing/; FUZZ_SECONDS: how long each runs (default: 60)
#
# Stops at the first finding, and keeps its input in .build/fuzzing/findings.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${FUZZ_SECONDS:-60}
work=.build/fuzzing
modules=(JSON Text WidgetSchema Cryptography CommandOptions SourceParsing Telemetry Configuration WebServer)
libraries=(libxml-2.0 libcrypto yaml-0.1 libmicrohttpd)
# Without the coverage, libFuzzer keeps no input, and tries small changes of nothing.
sanitizers=(-sanitize=fuzzer -sanitize=address -sanitize-coverage=edge,inline-8bit-counters,pc-table,trace-cmp)
compiling=()
for flag in "${sanitizers[@]}"; do compiling+=(-Xswiftc "$flag"); done
# The handler of crashes would read memory that the address sanitizer guards, and hide the cause.
export SWIFT_BACKTRACE=enable=no
names=("$@")
[ $# -gt 0 ] || for file in Fuzzing/*.swift; do names+=("$(basename "$file" .swift)"); done

mkdir -p "$work/findings" "$work/targets" "$work/seeds"
echo "Building the parsers with coverage and address sanitizer"
for target in SourceParsing Configuration WebServer; do
    swift build -c release --scratch-path "$work/swift" --target "$target" "${compiling[@]}" \
        >"$work/build.log" 2>&1 || { cat "$work/build.log" >&2; exit 1; }
done
# The server is visible in its package only.
package=$(grep -o -m1 -- '"-package-name","[^"]*"' "$work/swift/release.yaml" | cut -d'"' -f4)
built=$(readlink -f "$work/swift/release")
# SwiftPM does not compile again what another version of this script compiled with other flags.
grep -q __sancov_cntrs "$built"/SourceParsing.build/*.o || { echo "error: the parsers have no coverage; remove $work/swift" >&2; exit 1; }
objects=()
for module in "${modules[@]}"; do objects+=("$built/$module.build"/*.o); done
read -r -a links <<<"$(pkg-config --libs "${libraries[@]}")"
# The compiled modules refer to the modules of the C libraries, which the compiler finds by their module maps.
headers=()
for flag in $(pkg-config --cflags "${libraries[@]}"); do headers+=(-Xcc "$flag"); done
for map in CLibXML2 COpenSSL CZeroMQ CYAML CMicroHTTPD; do headers+=(-Xcc "-fmodule-map-file=Shared/CLibraries/$map/module.modulemap"); done
find Tests/SourceParsingTests/Fixtures -type f ! -name '*.md' -exec cp {} "$work/seeds/" \;
printf 'POST /a?b=c HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nokGET /refused HTTP/1.0\r\n\r\n' >"$work/seeds/requests"
printf 'PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nok\r\n0\r\nTrailer: t\r\n\r\n' >"$work/seeds/chunks"
printf 'widgets:\n  added: {kind: feed, source: {url: "https://example.org/feed", headers: {A: b}}, displays: [phone]}\n' >"$work/seeds/entry"

for name in "${names[@]}"; do
    [ -e "Fuzzing/$name.swift" ] || { echo "error: there is no Fuzzing/$name.swift" >&2; exit 2; }
    swiftc -O -swift-version 6 -parse-as-library -package-name "$package" "${sanitizers[@]}" -I "$built/Modules" "${headers[@]}" \
        "Fuzzing/$name.swift" -use-ld=lld "${objects[@]}" "${links[@]}" -o "$work/targets/$name"
    echo "== $name for $seconds s"
    mkdir -p "$work/corpus/$name"
    "$work/targets/$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=65536 -dict=Fuzzing/words.dict \
        -artifact_prefix="$work/findings/$name-" -print_final_stats=1 "$work/corpus/$name" "$work/seeds" >"$work/$name.log" 2>&1 \
        || { tail -40 "$work/$name.log" >&2; echo "error: $name found something; its input lies in $work/findings" >&2; exit 1; }
    grep -E 'stat::(number_of_executed_units|peak_rss_mb)' "$work/$name.log" | sed 's/^stat::/   /'
done
