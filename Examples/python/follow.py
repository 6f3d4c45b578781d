"""Follows every widget without a gap; prints WIDGET FIRST SEQUENCE RESULT REASON for each update.
follow.py [HOST [SUBSCRIBE_PORT [REQUEST_PORT]]]; the rules are those of docs/events.md, "The stream of all widgets"."""
import json, sys, time, uuid, zmq
host, subscribe_port, request_port = sys.argv[1:] + ["127.0.0.1", "5556", "5557"][len(sys.argv) - 1 :]
nonce, context = uuid.uuid4().hex, zmq.Context()
updates, requests = context.socket(zmq.SUB), context.socket(zmq.DEALER)
updates.sndhwm = 0  # otherwise libzmq drops subscriptions above its high-water mark
updates.connect(f"tcp://{host}:{subscribe_port}")
requests.connect(f"tcp://{host}:{request_port}")
for prefix in ["update/", "heads/notifier/", f"~ready/{nonce}/"]: updates.subscribe(prefix)  # the last one comes back from the bus
end, last = None, {}  # the position in the stream of all widgets; widget: the last cycle seen
wanted, states, start = None, [], None  # the request to send; the records of a snapshot, and the `end` of its first page
asked, lost, count = b"", 0.0, 0  # the id of the request in flight, and the time at which it counts as lost

def take(event):
    widget, sequence = event["subject"], int(event["sequence"])
    position = last.get(widget, 0)
    if sequence > position:  # otherwise it is a duplicate
        last[widget] = sequence
        print(widget, position + 1, sequence, event["data"]["result"], event["data"]["reason"], flush=True)

def hear(topic, event):
    global end, wanted
    if topic.startswith("~"):  # now and after each reconnect: updates may be missing
        wanted = wanted or ({"request": "replay", "since": end} if end else {"request": "snapshot"})
    elif end and not wanted:  # otherwise the answer brings it, or the next heads tell that it is missing
        heard = event["data"].get("end", end) if topic.startswith("heads/") else {key: event[key] for key in ("epoch", "offset")}
        ahead = int(heard["offset"]) - int(end["offset"])
        if heard["epoch"] != end["epoch"]:  # the snapshot decides which epoch holds
            wanted = {"request": "snapshot"}
        elif ahead == 1 and topic.startswith("update/") and int(event["sequence"]) <= time.time() * 1000 + 86_400_000:
            take(event)
            end = heard
        elif ahead > 0:
            wanted = {"request": "replay", "since": end}

def answer(result):
    global end, wanted, states, start
    records, more, heard = result["records"], result["more"], result["end"]
    if wanted["request"] == "replay":
        for event in records: take(event)
        end = {"epoch": heard["epoch"], "offset": records[-1]["offset"]} if more else heard
        wanted = {"request": "replay", "since": end} if more else None
        return
    states, start = (states + records, start) if "after" in wanted else (records, heard)
    if more or start["epoch"] != heard["epoch"]:  # the next page, or a snapshot of one epoch
        wanted = {"request": "snapshot", **({"after": records[-1]["subject"]} if start["epoch"] == heard["epoch"] else {})}
        return
    for name in last.keys() - {event["subject"] for event in states}: del last[name]
    for event in states:  # they replace the positions, higher ones too; the cycles before the snapshot are skipped
        last[event["subject"]] = min(last.get(event["subject"], int(event["first"]) - 1), int(event["sequence"]))
        take(event)
    end, wanted = start, {"request": "replay", "since": start}

while True:
    if wanted and time.monotonic() >= lost:
        asked, lost, count = f"{nonce}-{count}".encode(), time.monotonic() + 2, count + 1
        requests.send_multipart([b"notifier", asked, json.dumps({**wanted, "deadlineMilliseconds": 2000}).encode()])
    for socket in zmq.select([updates, requests], [], [], 0.2)[0]:
        head, body = (socket.recv_multipart() + [b"{}"])[:2]
        body = json.loads(body)
        if socket is updates: hear(head.decode(), body)
        elif head == asked:  # most errors mean that the notifier is not running yet: retry in a second
            lost = time.monotonic() + 1
            if "result" in body: lost = answer(body["result"]) or 0.0
            elif body["error"]["code"] == "notFound": wanted = {"request": "snapshot"}
