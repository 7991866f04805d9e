# aim: listen to another key's sandbox
# mechanism: a WebSocket without a key, and a first message with one's own
# server: tenancy, websocket
# plain: owner

def attack():
    with websocket(f"/v1/sandboxes/{theirs.calling}/live") as live:
        live.send(frame(json.dumps({"type": "authenticate", "key": mine.key}).encode()))
        live.until(b"tool_call")


judge(attack)
