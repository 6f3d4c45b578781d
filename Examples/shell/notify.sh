#!/usr/bin/env bash
# A desktop notification for each change that somebody would see. Needs `tidings`, python3 and notify-send (libnotify-bin).
# usage: notify.sh [WIDGET]
set -euo pipefail

for command in tidings notify-send python3; do
    command -v "$command" >/dev/null || { echo "notify.sh: $command is not installed" >&2; exit 1; }
done

# Each line is one CloudEvent; its subject is the widget, its summary is what shows at the top.
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
