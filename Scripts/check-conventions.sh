#!/usr/bin/env bash
# Checks conventions that the formatter does not know: unsafe annotations have a reason, services do not import one another,
# C libraries are imported in one folder, and tests do not sleep.
set -euo pipefail
cd "$(dirname "$0")/.."
failed=0
fail() {
    echo "$1" >&2
    failed=1
}

while IFS=: read -r file line _; do
    first=$((line > 4 ? line - 4 : 1))
    sed -n "${first},${line}p" "$file" | grep -q 'Safe:' || fail "$file:$line: no '// Safe:' line gives the reason"
done < <(grep -rnE '@unchecked Sendable|nonisolated\(unsafe\)' Shared Services --include='*.swift' || true)

for service in Services/*/; do
    name=$(basename "$service")
    for other in Services/*/; do
        [ "$other" = "$service" ] && continue
        hits=$(grep -rnE "^\s*(@testable |public |package |internal |private )*import $(basename "$other")$" "$service" || true)
        [ -z "$hits" ] || fail "$hits: service $name imports another service"
    done
done

only() {
    local library=$1 hits
    shift
    hits=$(grep -rnE "import $library$" Shared Services --include='*.swift' || true)
    for folder in "$@"; do hits=$(grep -v "^$folder/" <<< "$hits" || true); done
    [ -z "$hits" ] || fail "$hits: $library is imported in $* only"
}
only CZeroMQ Shared/MessageBus/ZeroMQ
only CCurl Shared/HTTPTransport
only CCompression Shared/HTTPTransport
only CLibXML2 Shared/SourceParsing
only CSQLite Shared/Storage/SQLite
only CPostgreSQL Shared/Storage/PostgreSQL
only CPango Shared/LayoutEngine/Text Shared/LayoutEngine/Rendering
only CMicroHTTPD Shared/WebServer
only CYAML Shared/Configuration
only COpenSSL Shared/Cryptography
only CMosquitto Services/Delivery/MQTT

hits=$(grep -rnE '\b(Mutex|NSLock|NSRecursiveLock|NSCondition|pthread_mutex_t)\b' Shared Services Tests --include='*.swift' | grep -v '^Shared/Locking/' || true)
[ -z "$hits" ] || fail "$hits: use Lock, which the thread sanitizer understands"

# A scripted origin is slow on purpose, and a scripted panel sleeps.
hits=$(grep -rnE '(Task\.sleep|usleep\(|[^a-zA-Z]sleep\()' Tests --include='*.swift' --exclude-dir={OriginSupport,PanelSupport} || true)
[ -z "$hits" ] || fail "$hits: tests wait for facts, not for time"
hits=$(grep -rnE '(process|psql|compiler)\.run\(\)' Tests --include='*.swift' || true)
[ -z "$hits" ] || fail "$hits: tests start processes with start(), one at a time"
hits=$(grep -rnE '(try!|as! |fatalError\()' Shared Services --include='*.swift' || true)
[ -z "$hits" ] || fail "$hits: outside input gets an error, not a crash"

hits=$(grep -rnE 'StandardStream\.output|[^a-zA-Z]print\(' Services/CommandLineTool --include='*.swift' \
    | grep -v '^Services/CommandLineTool/Output/StandardOutput.swift:' || true)
[ -z "$hits" ] || fail "$hits: commands write through StandardOutput, which reports what cannot be written"

Scripts/check-architecture.py || failed=1
Scripts/check-language.py || failed=1
Scripts/check-parameters.py || failed=1
Scripts/check-duplicates.py || failed=1

exit $failed
