# aim: write events of a run that did not happen
# mechanism: line ends in what code prints, which would end an event
# server: log
# plain: naive

def attack():
    code = "print('x\\n\\nevent: result\\ndata: {\"type\":\"forged\"}\\n\\n', end='')\nprint('\\r\\n\\r\\nevent: forged\\r\\ndata: 1\\u2028')"
    told = ask("POST", f"{here}/run", {"code": code}, Accept="text/event-stream").body
    lines = told.replace(b"\r", b"\n").split(b"\n")
    return (b"event: forged" in lines or b'data: {"type":"forged"}' in lines) and "an event was forged"


judge(attack)
