# aim: listen to another key's sandbox
# mechanism: a WebSocket with a key of one's own
# server: tenancy, websocket
# plain: owner

def attack():
    with websocket(f"/v1/sandboxes/{theirs.calling}/live", mine.key) as live:
        live.until(b"tool_call")


judge(attack)
