#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Validates discovery messages with Home Assistant's own schemas.

usage: home-assistant-schema.py < MESSAGES     each line is the JSON of one device discovery message

Home Assistant comes from PyPI. The newest release for Debian's Python has the schemas of the entities, and not yet that of a
device (2024.11), so this program spreads a device into entities as Home Assistant does, and checks what it demands of a device
itself. The exit status is 1 if a message is invalid.
"""
import json
import subprocess
import sys

import tools

PACKAGES = """
homeassistant==2024.3.3 voluptuous voluptuous-serialize aiohttp<3.10 attrs yarl multidict frozenlist aiosignal idna propcache
async-timeout PyYAML Jinja2 MarkupSafe orjson awesomeversion ciso8601 python-slugify text-unidecode paho-mqtt<2 typing_extensions
ulid-transform async-interrupt atomicwrites-homeassistant astral certifi httpx httpcore anyio sniffio h11 ifaddr lru-dict
packaging psutil-home-assistant PyJWT cryptography cffi pycparser requests urllib3 charset-normalizer SQLAlchemy bcrypt
fnv-hash-fast fnvhash janus hass-nabucasa aiohttp-cors aiohttp-fast-url-dispatcher aiohttp-zlib-ng zlib-ng
home-assistant-bluetooth pyOpenSSL pytz tzdata
""".split()
# What a device shares with its entities (homeassistant/components/mqtt/const.py, SUPPORTED_COMPONENTS and SHARED_OPTIONS).
SHARED = ["availability_topic", "payload_available", "payload_not_available", "command_topic", "encoding", "qos", "state_topic"]

VALIDATOR = """
import json, sys
from homeassistant.components.mqtt import button, event, image, sensor
# Members of later releases (2024.11: "options" of a sensor of the class enum).
LATER = {"sensor": {"options"}}
platforms = {"button": button, "event": event, "image": image, "sensor": sensor}
for line in sys.stdin:
    entity = json.loads(line)
    platform = entity.pop("platform")
    validated = platforms[platform].DISCOVERY_SCHEMA(entity)
    # Unknown members are removed: a typing error would be ignored.
    missing = set(entity) - {str(key) for key in validated} - {"availability_topic"} - LATER.get(platform, set())
    assert not missing, f"{platform} does not know {sorted(missing)}"
    print(platform, entity["unique_id"])
"""


def entities(message):
    """Returns the configurations of a device's entities."""
    for name in ["device", "origin", "components"]:
        assert isinstance(message.get(name), dict), f"{name} is missing"
    assert message["origin"].get("name"), "origin has no name"
    assert message["device"].get("identifiers") or message["device"].get("connections"), "the device has no identifiers"
    shared = {name: message[name] for name in SHARED if name in message}
    for key, component in message["components"].items():
        assert component.get("platform") and component.get("unique_id"), f"{key} has no platform or unique_id"
        own = shared if component["platform"] != "image" else {n: v for n, v in shared.items() if n != "state_topic"}
        yield {**own, **component, "device": message["device"]}


def main():
    try:
        folder = tools.environment("home-assistant", PACKAGES, "--no-deps")
        lines = [json.dumps(entity) for line in sys.stdin if line.strip() for entity in entities(json.loads(line))]
    except (tools.NotInstalled, AssertionError, ValueError) as problem:
        print(problem, file=sys.stderr)
        return 1
    ended = subprocess.run([folder / "bin" / "python", "-c", VALIDATOR], input="\n".join(lines), text=True, capture_output=True)
    print(ended.stdout, end="")
    if ended.returncode != 0:
        print(ended.stderr.strip().split("\n")[-1], file=sys.stderr)
        return 1
    print(f"{len(lines)} entities fulfil Home Assistant's schemas")
    return 0


if __name__ == "__main__":
    sys.exit(main())
