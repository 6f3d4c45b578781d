#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
#
# Fetches a display's picture only if it changed, for a panel that shows a file. On another machine than the gateway, the URL
# has its address and a token: 'http://192.168.1.10:8080/widgets/weather/wall.png?token=tdg_…' (docs/integrations.md).
# usage: panel.sh [URL [FILE]]; exit status 0: FILE is new, 3: unchanged
set -eu
url=${1:-http://127.0.0.1:8080/widgets/blog/phone-classic.png}
file=${2:-panel.png}
new=$(mktemp "$file.XXXXXX")
trap 'rm -f "$new"' EXIT
status=$(curl -sS --etag-save "$file.etag.new" --etag-compare "$file.etag" -o "$new" -w '%{http_code}' "$url")
case $status in
    200)
        mv "$new" "$file"
        mv "$file.etag.new" "$file.etag"
        ;;
    304)
        rm -f "$file.etag.new"
        exit 3
        ;;
    *)
        rm -f "$file.etag.new"
        echo "${url%%\?*}: status $status" >&2
        exit 1
        ;;
esac
