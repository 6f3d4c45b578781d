#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Makes docs/contract/schemas/*.json, docs/contract/asyncapi.yaml, and the schemas in the gateway's OpenAPI description.

The structure comes from the golden files, and everything else from docs/contract/vocabulary.json and, for the gateway's own
documents, docs/contract/http.json. Needs only the standard library. The output is deterministic. With --check it writes nothing, and fails if a file would change.
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONTRACT = ROOT / "docs" / "contract"
SAMPLES = ROOT / "Tests" / "WidgetSchemaTests" / "Fixtures"
HTTP_SAMPLES = ROOT / "Tests" / "GatewayTests" / "Fixtures" / "documents.json"
HTTP_SCHEMAS = ROOT / "Services" / "Gateway" / "OpenAPI" / "schemas.json"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
BUILT_IN = {
    "string": {"type": "string"},
    "number": {"type": "number"},
    "integer": {"type": "integer"},
    "counter": {"type": "integer", "minimum": 0},
    "boolean": {"type": "boolean"},
    "quarterTurns": {"type": "integer", "enum": [0, 90, 180, 270]},
}


class Contradiction(Exception):
    """An inconsistency between the vocabulary and the golden files."""


class Vocabulary:
    def __init__(self, raw):
        self.raw = raw
        self.limits, self.clients = self.raw["limits"], self.raw["clients"]
        self.documents = self.raw["documents"]
        self.strings, self.enums = self.raw["strings"], self.raw["enums"]
        self.objects = {name: self.resolved(name) for name in [*self.raw["objects"], *self.documents]}

    def resolved(self, name):
        """Returns an object merged with everything that it extends; fields become (type, description)."""
        own = self.raw["objects"].get(name) or self.documents.get(name)
        if own is None:
            raise Contradiction(f"vocabulary.json has no object '{name}'")
        base = self.resolved(own["extends"]) if "extends" in own else {"fields": {}, "optional": set()}
        fields = dict(base["fields"])
        for field, says in own.get("fields", {}).items():
            fields[field] = tuple(says) if isinstance(says, list) else (says, None)
        return {
            "about": own.get("about") or base.get("about"),
            "fields": fields,
            "optional": (base["optional"] | set(own.get("optional", []))) - set(own.get("always", [])),
            "choice": own.get("choice", base.get("choice", False)),
            "variants": own.get("variants", base.get("variants")),
        }

    def field(self, owner, name):
        """Returns the type (None: see the samples) and the description of a field in the vocabulary."""
        return self.objects[owner]["fields"].get(name, (None, None))


class Samples:
    """The values in the golden files for each field of each named object."""

    def __init__(self, vocabulary, files):
        self.vocabulary = vocabulary
        self.objects = {}
        self.files = files
        named = set()
        for name, document in vocabulary.documents.items():
            for sample in document["samples"]:
                if sample not in self.files:
                    raise Contradiction(f"vocabulary.json: {name} names the sample '{sample}', which is no golden file")
                named.add(sample)
                self.see(name, self.files[sample], sample)
                # A document without own fields shows the values of the object that it extends.
                if (base := document.get("extends")) and "fields" not in document:
                    self.objects.setdefault(base, []).append(self.files[sample])
        if missing := set(self.files) - named:
            raise Contradiction(f"vocabulary.json: no document has the samples {sorted(missing)}")

    def see(self, kind, value, place):
        if kind.startswith("["):
            self.expect(isinstance(value, list), place, "an array")
            for index, element in enumerate(value):
                self.see(kind[1:-1], element, f"{place}.{index}")
        elif kind.startswith("{"):
            self.expect(isinstance(value, dict), place, "an object")
            for key, element in value.items():
                self.see(kind[1:-1].split(": ")[1], element, f"{place}.{key}")
        elif kind in self.vocabulary.objects:
            self.expect(isinstance(value, dict), place, "an object")
            self.objects.setdefault(kind, []).append(value)
            for key, element in value.items():
                told, _ = self.vocabulary.field(kind, key)
                self.see(told or self.inferred(element, f"{place}.{key}"), element, f"{place}.{key}")
        elif kind not in BUILT_IN and kind != "const" and not self.is_word(kind):
            raise Contradiction(f"vocabulary.json: there is no type '{kind}' ({place})")

    def is_word(self, kind):
        return kind in self.vocabulary.strings or kind in self.vocabulary.enums

    @staticmethod
    def expect(condition, place, what):
        if not condition:
            raise Contradiction(f"{place} is not {what}")

    @staticmethod
    def inferred(value, place):
        if isinstance(value, bool):
            return "boolean"
        if isinstance(value, str):
            return "string"
        if isinstance(value, int):
            return "integer"
        if isinstance(value, float):
            return "number"
        raise Contradiction(f"{place}: vocabulary.json gives this array or object no type")


class Schemas:
    def __init__(self, vocabulary, samples, place="#/$defs/"):
        self.vocabulary, self.samples, self.place = vocabulary, samples, place
        self.definitions, self.pending = {}, []

    def document(self, name):
        """Returns the schema of one wire type, including all types that it refers to."""
        self.definitions, self.pending = {}, []
        schema = {"$schema": DIALECT, "title": name, **self.object(name)}
        if definitions := self.defined():
            schema["$defs"] = definitions
        return schema

    def defined(self):
        """Returns the schemas of all types that the schemas so far refer to."""
        while self.pending:
            wanted = self.pending.pop()
            self.definitions[wanted] = self.definition(wanted)
        return {key: self.definitions[key] for key in sorted(self.definitions)}

    def definition(self, name):
        if name in self.vocabulary.strings:
            pattern, about = self.vocabulary.strings[name]
            schema = {"description": about, "type": "string", "pattern": pattern}
            return {**schema, "format": "date-time"} if name == "Instant" else schema
        if name in self.vocabulary.enums:
            values = {key: says for key, says in self.vocabulary.enums[name].items() if key != "about"}
            lines = [f"- `{value}`: {says}" for value, says in values.items() if says]
            about = self.vocabulary.enums[name]["about"]
            return {
                "description": "\n".join([about, "", *lines]) if lines else about,
                "type": "string",
                "enum": list(values),
            }
        return self.object(name)

    def type(self, kind):
        if kind in BUILT_IN:
            return dict(BUILT_IN[kind])
        if kind.startswith("["):
            return {"type": "array", "items": self.type(kind[1:-1])}
        if kind.startswith("{"):
            key, value = kind[1:-1].split(": ")
            schema = {"type": "object", "additionalProperties": self.type(value)}
            return schema if key == "string" else {**schema, "propertyNames": self.type(key)}
        if kind not in self.definitions and kind not in self.pending:
            self.definitions[kind] = None
            self.pending.append(kind)
        return {"$ref": self.place + kind}

    def object(self, name):
        says, seen = self.vocabulary.objects[name], self.samples.objects.get(name)
        if not seen:
            raise Contradiction(f"vocabulary.json: no golden file has a {name}")
        keys = sorted({key for value in seen for key in value})
        schema = {"description": says["about"], "type": "object"}
        properties = {key: self.property(name, key, [v[key] for v in seen if key in v]) for key in keys}
        if properties:
            schema["properties"] = properties
        if says["choice"]:
            return {**schema, "oneOf": [{"required": [key]} for key in keys]}
        groups = self.variants(name, says["variants"], seen)
        common = [key for key in keys if all(key in v for group in groups.values() for v in group)]
        required = [key for key in keys if key not in says["optional"] and (key in common or not says["variants"])]
        for key in required:
            if key not in common:
                raise Contradiction(f"vocabulary.json: a golden file has a {name} without {key}; it is optional")
        if required:
            schema["required"] = required
        rules = []
        for value, group in groups.items():
            further = [k for k in keys if k not in required and k not in says["optional"] and all(k in v for v in group)]
            if says["variants"] and further:
                found = {"properties": {says["variants"]: {"const": value}}, "required": [says["variants"]]}
                rules.append({"if": found, "then": {"required": further}})
        return {**schema, "allOf": rules} if rules else schema

    def variants(self, name, key, seen):
        """Returns the samples by the value of the field that selects the variant."""
        if not key:
            return {None: seen}
        kind, _ = self.vocabulary.field(name, key)
        groups = {value: [v for v in seen if v[key] == value] for value in self.vocabulary.enums[kind] if value != "about"}
        for value, group in groups.items():
            if not group:
                raise Contradiction(f"no golden file has a {name} with {key} '{value}'")
        return groups

    def property(self, owner, key, values):
        kind, about = self.vocabulary.field(owner, key)
        if kind == "const":
            found = sorted(set(values))
            schema = {"const": found[0]} if len(found) == 1 else {"enum": found}
        else:
            schema = self.type(kind or Samples.inferred(values[0], f"{owner}.{key}"))
        return {"description": about, **schema} if about else schema


class AsyncAPI:
    """The document for clients: topics to subscribe to, and requests to send."""

    def __init__(self, vocabulary, samples):
        self.vocabulary, self.samples = vocabulary, samples

    def document(self):
        return {
            "asyncapi": "3.0.0",
            "info": {
                "title": "Tidings",
                "version": "1.0.0",
                "description": "Verdicts on widgets, over ZeroMQ. The operations are those of a client. Ignore unknown fields. The major version is part "
                "of the `type` of an event. docs/events.md describes how a reader requests missing updates.",
                "license": {"name": "MIT"},
            },
            "defaultContentType": "application/json",
            "servers": self.servers(),
            "channels": {**self.topics(), **self.services()},
            "operations": self.operations(),
            "components": {"messages": {name: self.message(name) for name in self.carried()}},
        }

    def servers(self):
        def server(port, bound, connect, about):
            return {
                "host": f"127.0.0.1:{port}",
                "protocol": "zeromq",
                "description": about,
                "x-zeromq": {"bound": bound, "connect": connect, "endpoint": f"tcp://127.0.0.1:{port}"},
            }

        return {
            "publish": server(5555, "XSUB", "XPUB", "The port for publishers, used by services."),
            "subscribe": server(5556, "XPUB", "SUB", "The next port, for subscribers."),
            "request": server(5557, "ROUTER", "DEALER", "The port after that, for requests and answers."),
        }

    def carried(self):
        return [n for n, d in self.vocabulary.documents.items() if n.split("-")[0] in ("request", "answer") or "topic" in d]

    def message(self, name):
        document = self.vocabulary.documents[name]
        is_event = "topic" in document
        first = document["samples"][0]
        return {
            "name": self.samples.files[first]["type"] if is_event else name,
            "summary": document["about"],
            "contentType": "application/cloudevents+json" if is_event else "application/json",
            "payload": {"$ref": f"schemas/{name}.json"},
            "x-zeromq": {"frames": self.frames(name, document)},
            "examples": [{"name": sample, "payload": self.samples.files[sample]} for sample in document["samples"]],
        }

    @staticmethod
    def frames(name, document):
        contents = ["contents, one frame each, as schemas/content.json"] if document.get("contents") else []
        if document.get("picture"):
            contents = ["the picture, if one was requested"]
        if "topic" in document:
            return ["topic", "payload", *contents]
        if name.startswith("request"):
            return ["SERVICE, or SERVICE/INSTANCE", "an id that the requester chooses", "payload"]
        return ["the request's id", "payload", *contents]

    def topics(self):
        channels = {}
        for name, document in self.vocabulary.documents.items():
            if "topic" not in document:
                continue
            self.check_topic(name, document)
            address, parameters = self.address(name, document["topic"])
            is_public = name in self.vocabulary.clients["receive"]
            channels[name] = {
                "address": address,
                "description": f"{document['about']} From {document['from'].replace(', ', ' and ')} to {document['to']}.",
                "servers": [{"$ref": "#/servers/publish"}, {"$ref": "#/servers/subscribe"}],
                "parameters": parameters,
                "messages": {name: {"$ref": f"#/components/messages/{name}"}},
                "x-zeromq": {
                    "subscription": address.split("{")[0],
                    "maximumFrameBytes": self.vocabulary.limits["clientFrame" if is_public else "internalFrame"],
                },
            }
        channels["ready"] = {
            "address": "~ready/{nonce}/",
            "description": "The echo of a subscription. A client that subscribes to it last, and receives it, knows that its other "
            "subscriptions are active. It arrives again after a reconnect.",
            "servers": [{"$ref": "#/servers/subscribe"}],
            "parameters": {
                "nonce": {
                    "description": "Chosen by the subscriber: 1 to "
                    f"{self.vocabulary.limits['nonce']} letters, digits or `-`."
                }
            },
            "messages": {
                "ready": {"summary": "The topic only.", "payload": {"type": "null"}, "x-zeromq": {"frames": ["topic"]}}
            },
            "x-zeromq": {"subscription": "~ready/NONCE/"},
        }
        return channels

    def address(self, name, topic):
        """Returns an address with AsyncAPI's parameters for a topic's types: {WidgetID} becomes {widget}."""
        parameters = {}

        def parameter(match):
            kind = match[1]
            word = re.sub("^Update|Name$|ID$", "", kind).lower()
            if kind in self.vocabulary.enums:
                says = self.vocabulary.enums[kind]
                values = [value for value in says if value != "about"]
                if name == "heads":
                    values = [s.strip() for s in self.vocabulary.documents[name]["from"].split(",")]
                parameters[word] = {"description": says["about"], "enum": values}
            else:
                pattern, about = self.vocabulary.strings[kind]
                parameters[word] = {"description": f"{about} {pattern}"}
            return "{" + word + "}"

        return re.sub(r"\{(\w+)\}", parameter, topic), parameters

    def check_topic(self, name, document):
        """Checks the topic's pattern with the samples: the id of an event begins with its topic."""

        def part(match):
            kind = match[1]
            if kind in self.vocabulary.enums:
                return "(" + "|".join(value for value in self.vocabulary.enums[kind] if value != "about") + ")"
            return self.vocabulary.strings[kind][0].strip("^$")

        pattern = re.sub(r"\{(\w+)\}", part, document["topic"])
        for sample in document["samples"]:
            topic = self.samples.files[sample]["id"].rpartition("/")[0] + "/"
            if not re.fullmatch(pattern, topic):
                raise Contradiction(f"vocabulary.json: the topic {topic} of {sample} is no {document['topic']}")

    def services(self):
        channels = {}
        for request, service, answer in self.requests():
            channel = channels.setdefault(
                f"requests-{service}",
                {
                    "address": service,
                    "description": f"Requests to {service}, and its answers on the same socket. The address is the first frame; "
                    f"`{service}/INSTANCE` names one instance.",
                    "servers": [{"$ref": "#/servers/request"}],
                    "messages": {},
                    "x-zeromq": {"maximumFrameBytes": self.vocabulary.limits["internalFrame"]},
                },
            )
            for message in (request, answer):
                channel["messages"][message] = {"$ref": f"#/components/messages/{message}"}
        return channels

    def requests(self):
        for name, document in self.vocabulary.documents.items():
            for service, answer in document.get("answers", {}).items():
                yield name, service, answer

    def operations(self):
        operations = {}
        for name in self.vocabulary.clients["receive"]:
            operations[f"receive-{name}"] = {
                "action": "receive",
                "channel": {"$ref": f"#/channels/{name}"},
                "summary": self.vocabulary.documents[name]["about"],
                "messages": [{"$ref": f"#/channels/{name}/messages/{name}"}],
            }
        for name, service, answer in self.requests():
            if name not in self.vocabulary.clients["send"]:
                continue
            channel = f"#/channels/requests-{service}"
            operations[f"{name.removeprefix('request-')}-{service}"] = {
                "action": "send",
                "channel": {"$ref": channel},
                "summary": self.vocabulary.documents[name]["about"],
                "messages": [{"$ref": f"{channel}/messages/{name}"}],
                "reply": {"channel": {"$ref": channel}, "messages": [{"$ref": f"{channel}/messages/{answer}"}]},
            }
        return operations


def yaml(value, indent=0):
    """Returns block YAML. Every string is quoted as in JSON, which YAML reads the same way."""
    space = "  " * indent
    if isinstance(value, dict) and value:
        lines = []
        for key, inner in value.items():
            name = key if re.fullmatch(r"[A-Za-z$][\w.-]*", key) else json.dumps(key)
            if isinstance(inner, (dict, list)) and inner:
                lines.append(f"{space}{name}:\n{yaml(inner, indent + 1)}")
            else:
                lines.append(f"{space}{name}: {json.dumps(inner, ensure_ascii=False)}")
        return "\n".join(lines)
    if isinstance(value, list) and value:
        return "\n".join(f"{space}- {yaml(inner, indent + 1).lstrip(' ')}" for inner in value)
    return space + json.dumps(value, ensure_ascii=False)


def outputs():
    """Returns every file of the contract and its text."""
    raw = json.loads((CONTRACT / "vocabulary.json").read_text())
    golden = {path.stem: json.loads(path.read_text()) for path in sorted(SAMPLES.glob("*.json"))}
    vocabulary = Vocabulary(raw)
    samples = Samples(vocabulary, golden)
    schemas = Schemas(vocabulary, samples)
    files = {}
    for name in vocabulary.documents:
        text = json.dumps(schemas.document(name), indent=2, ensure_ascii=False)
        files[CONTRACT / "schemas" / f"{name}.json"] = text + "\n"
    check_fields(vocabulary, samples)
    lines = [f"{json.dumps(name)}: {json.dumps(schema, ensure_ascii=False)}" for name, schema in http_schemas(raw, golden).items()]
    files[HTTP_SCHEMAS] = "{\n" + ",\n".join(lines) + "\n}\n"
    api = AsyncAPI(vocabulary, samples)
    head = "# Made by `make contract` from vocabulary.json and the golden files.\n"
    files[CONTRACT / "asyncapi.yaml"] = head + yaml(api.document()) + "\n"
    return files


def http_schemas(raw, golden):
    """Returns the schemas of the gateway's documents, and of all types that they refer to."""
    http = json.loads((CONTRACT / "http.json").read_text())
    own = json.loads(HTTP_SAMPLES.read_text())
    if own.keys() - http["documents"].keys():
        raise Contradiction("http.json does not have each document of the samples")
    documents = {n: {"samples": [f"{n} {i}" for i in range(len(own.get(n, [])))], **d} for n, d in http["documents"].items()}
    merged = {part: {**raw[part], **http.get(part, {})} for part in ("strings", "enums", "objects")}
    vocabulary = Vocabulary({**raw, **merged, "documents": {**raw["documents"], **documents}})
    files = {f"{name} {index}": value for name, values in own.items() for index, value in enumerate(values)}
    samples = Samples(vocabulary, {**golden, **files})
    check_fields(vocabulary, samples)
    schemas = Schemas(vocabulary, samples, "#/components/schemas/")
    for name in [*documents, *http["reused"]]:
        schemas.type(name)
    defined = schemas.defined()
    if double := http["schemas"].keys() & defined.keys():
        raise Contradiction(f"http.json: the vocabulary has a type of the same name as the schema {', '.join(sorted(double))}")
    return {**http["schemas"], **defined}


def check_fields(vocabulary, samples):
    """Raises a contradiction if the vocabulary has a field that no sample shows."""
    for owner in [*vocabulary.raw["objects"], *vocabulary.documents]:
        own = vocabulary.raw["objects"].get(owner) or vocabulary.documents[owner]
        for field in [*own.get("fields", {}), *own.get("optional", [])]:
            shown = {key for name in vocabulary.objects for value in samples.objects.get(name, []) for key in value
                     if owner in lineage(vocabulary, name)}
            if field not in shown:
                raise Contradiction(f"vocabulary.json: no golden file shows {owner}.{field}")


def lineage(vocabulary, name):
    """Returns an object and all objects that it extends."""
    while name:
        yield name
        own = vocabulary.raw["objects"].get(name) or vocabulary.documents[name]
        name = own.get("extends")


def main():
    try:
        files = outputs()
    except Contradiction as contradiction:
        sys.exit(f"error: {contradiction}")
    stale = set((CONTRACT / "schemas").glob("*.json")) - set(files)
    changed = [path for path, text in files.items() if not path.exists() or path.read_text() != text]
    if sys.argv[1:] == ["--check"]:
        for path in sorted([*changed, *stale]):
            print(f"{path.relative_to(ROOT)} does not match the samples, vocabulary.json and http.json; run `make contract`")
        sys.exit(1 if changed or stale else 0)
    (CONTRACT / "schemas").mkdir(exist_ok=True)
    for path in stale:
        path.unlink()
    for path in changed:
        path.write_text(files[path])


if __name__ == "__main__":
    main()
