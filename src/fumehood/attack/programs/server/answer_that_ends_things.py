# aim: end what waits for an answer
# mechanism: an error that is named as those that end programs and loops
# server: calls
# plain: naive

import threading


def attack():
    ask("POST", f"{here}/tools", {"tools": [{"name": "asked", "description": "x", "inputs": {}, "timeout_seconds": 20}]})
    for kind in ("SystemExit", "StopIteration", "CancelledError"):
        ran = []
        waiting = threading.Thread(target=lambda: ran.append(run("try:\n    asked()\nexcept Exception as error:\n    result = 'an ordinary error'\nresult")))
        waiting.start()
        calls = ask("GET", f"{here}/calls?wait_seconds=20").json["calls"]
        ask("POST", f"{here}/calls/{calls[0]['call']}", {"error": {"type": kind, "message": "x"}})
        waiting.join(30)
        if not ran or ran[0]["value"] != "an ordinary error":
            return f"{kind} was raised as what it is: {ran!r:.200}"


judge(attack)
