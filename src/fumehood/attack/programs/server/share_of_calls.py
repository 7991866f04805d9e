# aim: have the server hold more than it may
# mechanism: very many calls of a tool that nobody answers
# server: calls, quotas
# plain: naive

import threading


def attack():
    ask("POST", f"{here}/tools", {"tools": [{"name": "asked", "description": "x", "inputs": {}, "timeout_seconds": 5}]})
    code = "import threading\ndef one():\n    try:\n        asked()\n    except Exception:\n        pass\nfor _ in range(90):\n    threading.Thread(target=one, daemon=True).start()\nimport time\ntime.sleep(2)"
    running = threading.Thread(target=run, args=(code,))
    running.start()
    most = 0
    while running.is_alive():
        most = max(most, len(ask("GET", f"{here}/calls").json["calls"]))
        running.join(0.1)
    return most > 64 and f"{most} calls are open"


judge(attack)
