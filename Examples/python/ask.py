"""Requests a snapshot from the notifier, page by page, then a replay of all stored updates; prints one line for each record.
ask.py [HOST [REQUEST_PORT]]; docs/events.md, "A snapshot and a replay", explains each step."""
import json, sys, uuid, zmq
host, port = sys.argv[1:] + ["127.0.0.1", "5557"][len(sys.argv) - 1 :]
socket = zmq.Context().socket(zmq.DEALER)
socket.connect(f"tcp://{host}:{port}")
nonce, count = uuid.uuid4().hex, 0  # each request needs a new id; a repeated id is the same request

def ask(target, request, attempts=5):
    """Returns the result. Sends the same request with the same id again each second, until an answer arrives."""
    global count
    count += 1
    request_id = f"{nonce}-{count}".encode()
    body = json.dumps({**request, "deadlineMilliseconds": 2000}).encode()
    for _ in range(attempts):
        socket.send_multipart([target.encode(), request_id, body])
        while socket.poll(1000):
            answered_id, answer = socket.recv_multipart()[:2]
            if answered_id != request_id: continue  # a late answer to an earlier request
            answer = json.loads(answer)
            if "result" in answer: return answer["result"]
            if answer["error"]["code"] not in ("unavailable", "failed"):  # a retry may succeed after these two
                sys.exit(f"{answer['error']['code']}: {answer['error']['message']}")
            break
    sys.exit(f"{target} does not answer at tcp://{host}:{port}")

def show(kind, event):
    print(kind, event["subject"], int(event["first"]), int(event["sequence"]), event["data"]["result"], flush=True)

last, after = {}, {}
while True:  # the last update of each widget, ordered by widget id
    page = ask("notifier", {"request": "snapshot", **after})
    for event in page["records"]:
        show("snapshot", event)
        last[event["subject"]] = int(event["sequence"])
    if not page["more"] or not page["records"]: break
    after = {"after": page["records"][-1]["subject"]}

wanted = {widget: 1 for widget in last}  # from the beginning; updates that are no longer stored arrive as one range
while wanted:
    page = ask("notifier", {"request": "replay", "from": {widget: f"{number:020}" for widget, number in wanted.items()}})
    for event in page["records"]:
        show("replay", event)
        wanted[event["subject"]] = int(event["sequence"]) + 1
    wanted = {widget: number for widget, number in wanted.items() if page["more"] and number <= last[widget]}
