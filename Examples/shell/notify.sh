#!/usr/bin/env bash
# Shows a desktop notification for each visible change. Needs `tidings`, python3 and notify-send (libnotify-bin).
# usage: notify.sh [WIDGET]
set -euo pipefail

for command in tidings notify-send python3; do
    command -v "$command" >/dev/null || { echo "notify.sh: $command is not installed" >&2; exit 1; }
done

# Each line is one CloudEvent. Its subject is the widget; its summary describes the widget in one line.
tidings subscribe --json "update/newData/${1:+$1/}" | while IFS= read -r event; do
    python3 -c '
import json, sys
event = json.loads(sys.argv[1])
print(event["subject"], event["data"].get("summary") or event["data"]["reason"], sep="\0", end="\0")
' "$event" | {
        IFS= read -r -d '' widget
        IFS= read -r -d '' summary
        notify-send --app-name=Tidings -- "$widget" "$summary"
    }
done
