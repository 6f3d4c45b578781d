"""Follows every widget without a gap; prints WIDGET FIRST SEQUENCE RESULT REASON for each update.
follow.py [HOST [SUBSCRIBE_PORT [REQUEST_PORT]]]; the rules are those of docs/events.md, "Missing nothing"."""
import json, sys, time, uuid, zmq
host, subscribe_port, request_port = sys.argv[1:] + ["127.0.0.1", "5556", "5557"][len(sys.argv) - 1 :]
nonce, context = uuid.uuid4().hex, zmq.Context()
updates, requests = context.socket(zmq.SUB), context.socket(zmq.DEALER)
updates.sndhwm = 0  # otherwise libzmq drops subscriptions above its high-water mark
updates.connect(f"tcp://{host}:{subscribe_port}")
requests.connect(f"tcp://{host}:{request_port}")
for prefix in ["update/", "heads/notifier/", f"~ready/{nonce}/"]:  # the nonce last: it comes back when all are active
    updates.subscribe(prefix)
last = {}  # widget: the last cycle seen without a gap
missing = {}  # widget: the time at which to request the cycles that follow
held, snapshot = [], None  # updates before the snapshot arrives, then None; the request for its next page
asked, lost, count = b"", 0.0, 0  # the id of the request in flight, and the time at which it counts as lost

def take(event):
    widget, first, sequence = event["subject"], int(event["first"]), int(event["sequence"])
    position = last.get(widget, 0)
    if first > position + 1:
        missing.setdefault(widget, 0)
    elif sequence > position:  # otherwise it is a duplicate
        last[widget] = sequence
        print(widget, position + 1, sequence, event["data"]["result"], event["data"]["reason"], flush=True)

def hear(topic, event):
    global snapshot
    if topic.startswith("~"):  # now and after each reconnect: updates may be missing
        missing.update((widget, 0) for widget in last)
        snapshot = {"request": "snapshot"}
    elif topic.startswith("update/"):
        take(event) if held is None else held.append(event)
    elif held is None:
        for widget, head in event["data"]["heads"].items():
            if int(head["sequence"]) <= last.get(widget, 0): missing.pop(widget, None)
            else: missing.setdefault(widget, time.monotonic() + 1)  # the update may still be in flight

def answer(records, more):
    global held, snapshot
    early, is_late, held = held, held is not None, held if more else None
    missing.update((widget, 0) for widget in last) if more else missing.clear()
    snapshot = {"request": "snapshot", "after": records[-1]["subject"]} if more else None
    for event in records:
        if is_late: last.setdefault(event["subject"], int(event["first"]) - 1)  # skips the cycles before the snapshot
        take(event)
    for event in early if is_late and not more else []: take(event)

while True:
    now = time.monotonic()
    due = {widget: f"{last.get(widget, 0) + 1:020}" for widget, moment in missing.items() if moment <= now}
    if now >= lost and (ask := due and {"request": "replay", "from": due} if held is None else snapshot):
        asked, lost, count = f"{nonce}-{count}".encode(), now + 2, count + 1
        requests.send_multipart([b"notifier", asked, json.dumps({**ask, "deadlineMilliseconds": 2000}).encode()])
    for socket in zmq.select([updates, requests], [], [], 0.2)[0]:
        head, body = (socket.recv_multipart() + [b"{}"])[:2]
        if socket is updates: hear(head.decode(), json.loads(body))
        elif head == asked:  # an error means that the notifier is not running yet: retry in a second
            result, lost = json.loads(body).get("result"), time.monotonic() + 1
            if result: lost = answer(result["records"], result["more"]) or 0.0
