// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The schemas of the JSON documents in the gateway's HTTP interface (JSON Schema 2020-12).
enum SchemaTable {
    static let json = #"""
        {
          "Sequence": {"type": "string", "pattern": "^[0-9]{20}$", "description": "The number of a cycle."},
          "Instant": {"type": "string", "format": "date-time"},
          "Digest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
          "Name": {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,62}$", "description": "The name of a display, or the id of a widget."},
          "Result": {"type": "string", "enum": ["newData", "noData", "failed"]},
          "Problem": {
            "type": "object",
            "description": "Problem details (RFC 9457).",
            "required": ["type", "title", "status", "detail", "instance"],
            "properties": {
              "type": {"type": "string"}, "title": {"type": "string"}, "status": {"type": "integer"},
              "detail": {"type": "string"}, "instance": {"type": "string"}
            }
          },
          "Failure": {
            "type": "object",
            "required": ["class", "message"],
            "properties": {
              "class": {"type": "string"}, "message": {"type": "string"}, "status": {"type": "integer"},
              "explanation": {"type": "string", "description": "A sentence for people who do not know the source."},
              "nextAttempt": {"$ref": "#/components/schemas/Instant"}
            }
          },
          "DisplayDocument": {
            "type": "object",
            "required": ["digest", "height", "png", "svg", "layout"],
            "properties": {
              "digest": {"$ref": "#/components/schemas/Digest"}, "height": {"type": "number"},
              "changed": {"$ref": "#/components/schemas/Instant"},
              "nextCertainChange": {"$ref": "#/components/schemas/Instant"},
              "png": {"type": "string"}, "svg": {"type": "string"}, "layout": {"type": "string"}
            }
          },
          "WidgetDocument": {
            "type": "object",
            "required": ["id", "sequence", "result", "reason", "cause", "outcome", "hasContent", "times", "summary", "displays"],
            "properties": {
              "id": {"type": "string"}, "kind": {"type": "string"}, "name": {"type": "string"},
              "position": {"type": "integer", "minimum": 0, "description": "Its index in the configuration."},
              "source": {"type": "string", "description": "The source's URL without its query; `push` if content is pushed."},
              "sequence": {"$ref": "#/components/schemas/Sequence"}, "result": {"$ref": "#/components/schemas/Result"},
              "reason": {"type": "string"}, "cause": {"type": "string"}, "outcome": {"type": "string"},
              "failure": {"$ref": "#/components/schemas/Failure"}, "hasContent": {"type": "boolean"},
              "contentDate": {"$ref": "#/components/schemas/Instant"}, "times": {"type": "object"},
              "summary": {"type": "string"}, "nextChange": {"$ref": "#/components/schemas/Instant"},
              "nextCertainChange": {"$ref": "#/components/schemas/Instant"},
              "nextAttempt": {"$ref": "#/components/schemas/Instant"},
              "displays": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/DisplayDocument"}}
            }
          },
          "WidgetList": {
            "type": "object",
            "required": ["widgets"],
            "properties": {
              "widgets": {"type": "array", "items": {"$ref": "#/components/schemas/WidgetDocument"}},
              "next": {"type": "string"}
            }
          },
          "DisplayList": {
            "type": "object",
            "required": ["widget", "sequence", "displays"],
            "properties": {
              "widget": {"type": "string"}, "sequence": {"$ref": "#/components/schemas/Sequence"},
              "displays": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/DisplayDocument"}}
            }
          },
          "UpdateEvent": {
            "type": "object",
            "description": "A CloudEvent of type tidings.update.v1; the contract's schema has all of its fields.",
            "required": ["specversion", "id", "source", "type", "time", "sequence", "first", "data"],
            "properties": {
              "specversion": {"const": "1.0"}, "id": {"type": "string"}, "source": {"type": "string"},
              "type": {"const": "tidings.update.v1"}, "subject": {"type": "string"},
              "time": {"$ref": "#/components/schemas/Instant"}, "sequence": {"$ref": "#/components/schemas/Sequence"},
              "first": {"$ref": "#/components/schemas/Sequence"}, "data": {"type": "object"},
              "epoch": {"type": "string"}, "offset": {"type": "string", "pattern": "^[0-9]{20}$"}
            }
          },
          "History": {
            "type": "object",
            "required": ["widget", "updates"],
            "properties": {
              "widget": {"type": "string"},
              "updates": {"type": "array", "items": {"$ref": "#/components/schemas/UpdateEvent"}},
              "next": {"$ref": "#/components/schemas/Sequence"}
            }
          },
          "CycleExplanation": {
            "type": "object",
            "required": ["widget", "update", "verdict", "because", "hops"],
            "properties": {
              "widget": {"type": "string"}, "update": {"$ref": "#/components/schemas/UpdateEvent"},
              "previous": {"$ref": "#/components/schemas/UpdateEvent"}, "verdict": {"type": "string"},
              "because": {"type": "string"},
              "hops": {
                "type": "array", "description": "The services that the cycle passed, in order.",
                "items": {
                  "type": "object", "required": ["name", "by", "at"],
                  "properties": {
                    "name": {"enum": ["attempted", "answered", "committed", "laidOut", "decided"]}, "by": {"type": "string"},
                    "at": {"$ref": "#/components/schemas/Instant"},
                    "milliseconds": {"type": "integer", "description": "Since the hop before; absent for the first."}
                  }
                }
              },
              "committed": {
                "type": "object",
                "description": "The cycle as stored by the cache; absent if it is no longer stored.",
                "required": ["expanded"],
                "properties": {
                  "expanded": {"type": "boolean"}, "contentSequence": {"$ref": "#/components/schemas/Sequence"},
                  "contentDate": {"$ref": "#/components/schemas/Instant"}
                }
              },
              "laidOut": {
                "type": "object",
                "description": "The cycle as drawn by the layout service; absent if it can no longer be drawn.",
                "required": ["engine"], "properties": {"engine": {"type": "integer"}}
              },
              "nextAttempt": {"$ref": "#/components/schemas/Instant"},
              "nextCertainChange": {"$ref": "#/components/schemas/Instant"}
            }
          },
          "CycleDocument": {
            "type": "object",
            "required": ["widget"],
            "properties": {
              "widget": {"type": "string"},
              "sequence": {
                "type": "string", "pattern": "^[0-9]{20}$",
                "description": "The number of the cycle. Absent only from an answer 202 whose origin is slow."
              },
              "after": {
                "type": "string", "pattern": "^[0-9]{20}$",
                "description": "Instead of `sequence`: the last cycle before, 0 if there was none. That of the command has a higher number."
              },
              "result": {"$ref": "#/components/schemas/Result"}, "reason": {"type": "string"},
              "blockedUntil": {"$ref": "#/components/schemas/Instant", "description": "The end of the pause that the host has asked for."},
              "changed": {"type": "array", "items": {"type": "string"}},
              "update": {"$ref": "#/components/schemas/UpdateEvent"},
              "note": {"type": "string", "description": "The members of a pushed document that were not used."}
            }
          },
          "Command": {
            "oneOf": [
              {
                "type": "object",
                "required": ["name", "expanded"],
                "additionalProperties": false,
                "properties": {
                  "name": {"const": "setExpanded"}, "expanded": {"type": "boolean"},
                  "display": {"$ref": "#/components/schemas/Name"}
                }
              },
              {
                "type": "object",
                "required": ["name"],
                "additionalProperties": false,
                "properties": {
                  "name": {"enum": ["performUpdate", "refresh", "nextValue"]},
                  "display": {"$ref": "#/components/schemas/Name"}
                }
              }
            ]
          },
          "Content": {"description": "What an origin of the widget would answer: JSON of its kind, or a JSON Feed."},
          "ContentText": {"type": "string", "description": "What an origin of the widget would answer, in another format."},
          "Layout": {
            "type": "object",
            "required": ["widget", "display", "sequence", "digest", "layout"],
            "properties": {
              "widget": {"type": "string"}, "display": {"type": "string"},
              "sequence": {"$ref": "#/components/schemas/Sequence"}, "digest": {"$ref": "#/components/schemas/Digest"},
              "layout": {"type": "object"}
            }
          },
          "Timeline": {
            "type": "object",
            "required": ["entries", "policy"],
            "properties": {
              "entries": {"type": "array", "items": {"type": "object", "required": ["date", "digest", "layout"]}},
              "policy": {"enum": ["atEnd", "after", "never"]}, "date": {"$ref": "#/components/schemas/Instant"}
            }
          },
          "HealthReport": {
            "type": "object",
            "required": ["instances"],
            "properties": {
              "instances": {"type": "array", "items": {"type": "object", "required": ["name", "at", "health"]}}
            }
          },
          "ConfigurationDocument": {
            "type": "object",
            "required": ["version", "displays", "widgets"],
            "properties": {
              "version": {"type": "string"}, "displays": {"type": "array", "items": {"type": "object"}},
              "widgets": {"type": "array", "items": {"type": "object", "required": ["id", "kind", "intervalSeconds", "displays"]}}
            }
          },
          "DisplayCatalogue": {
            "type": "object",
            "required": ["displays"],
            "properties": {
              "displays": {"type": "array", "items": {"type": "object", "required": ["name", "family", "width", "maximumHeight"]}}
            }
          },
          "SourceList": {
            "type": "object",
            "required": ["sources"],
            "properties": {
              "sources": {
                "type": "array",
                "items": {
                  "type": "object", "required": ["address", "widgets", "failing"],
                  "properties": {
                    "address": {"type": "string"}, "widgets": {"type": "array", "items": {"$ref": "#/components/schemas/Name"}},
                    "intervalSeconds": {"type": "integer"}, "outcome": {"type": "string"},
                    "lastAnswer": {"$ref": "#/components/schemas/Instant"},
                    "nextCheck": {"$ref": "#/components/schemas/Instant", "description": "Never in the past."},
                    "state": {"enum": ["scheduled", "running", "gone"]},
                    "dueSince": {"$ref": "#/components/schemas/Instant"},
                    "blockedUntil": {"$ref": "#/components/schemas/Instant"},
                    "failure": {"$ref": "#/components/schemas/Failure"}, "failing": {"type": "integer"}
                  }
                }
              }
            }
          },
          "OperationsReport": {
            "type": "object",
            "required": ["at", "startedAt", "widgets", "minutes", "counters", "gauges", "warnings"],
            "properties": {
              "at": {"$ref": "#/components/schemas/Instant"}, "startedAt": {"$ref": "#/components/schemas/Instant"},
              "widgets": {"type": "integer"}, "minutes": {"type": "array", "items": {"type": "object"}},
              "counters": {"type": "object", "additionalProperties": {"type": "integer"}},
              "gauges": {"type": "object", "additionalProperties": {"type": "integer"}},
              "warnings": {"type": "array", "items": {"type": "string"}}
            }
          },
          "Session": {
            "type": "object",
            "required": ["scopes"],
            "properties": {"scopes": {"type": "array", "items": {"type": "string"}}}
          },
          "Inspection": {
            "type": "object",
            "required": ["url"],
            "properties": {
              "url": {"type": "string", "format": "uri"},
              "kind": {"type": "string", "enum": ["feed", "keyValue", "forecast", "quote", "documents", "json"]},
              "displays": {"type": "array", "items": {"$ref": "#/components/schemas/Name"}, "minItems": 1, "maxItems": 16}
            }
          },
          "InspectionReport": {
            "type": "object",
            "required": ["url", "readings", "mayAdd"],
            "properties": {
              "url": {"type": "string"}, "mayAdd": {"type": "boolean"},
              "readings": {
                "type": "array",
                "items": {
                  "type": "object",
                  "required": ["kind", "count", "id", "entry", "layouts"],
                  "properties": {
                    "kind": {"type": "string"}, "count": {"type": "integer"}, "title": {"type": "string"},
                    "id": {"type": "string"}, "entry": {"type": "string"},
                    "layouts": {"type": "array", "items": {"type": "object"}}
                  }
                }
              }
            }
          },
          "WidgetAddition": {
            "type": "object",
            "required": ["id", "entry"],
            "properties": {"id": {"$ref": "#/components/schemas/Name"}, "entry": {"type": "string"}}
          },
          "SignIn": {
            "type": "object",
            "required": ["token"],
            "properties": {"token": {"type": "string"}}
          }
        }
        """#
}
