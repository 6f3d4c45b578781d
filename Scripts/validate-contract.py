#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Validates documents with the schemas in docs/contract.

Reads one line `{"schema": "update", "document": …}` for each document from standard input, and writes one line `valid` or
`invalid` for each. Needs Debian's python3-jsonschema.
"""
import json
import pathlib
import sys

import jsonschema

SCHEMAS = pathlib.Path(__file__).resolve().parent.parent / "docs" / "contract" / "schemas"


def validator(name):
    schema = json.loads((SCHEMAS / f"{name}.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def main():
    validators = {}
    for line in sys.stdin:
        asked = json.loads(line)
        name = asked["schema"]
        if name not in validators:
            validators[name] = validator(name)
        print("valid" if validators[name].is_valid(asked["document"]) else "invalid")


if __name__ == "__main__":
    main()
