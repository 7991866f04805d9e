# aim: have code be given another answer than the first
# mechanism: two answers to one call
# server: calls
# plain: naive

import threading


def attack():
    ask("POST", f"{here}/tools", {"tools": [{"name": "asked", "description": "x", "inputs": {}, "timeout_seconds": 20}]})
    waiting = threading.Thread(target=run, args=("asked()",))
    waiting.start()
    try:
        calls = ask("GET", f"{here}/calls?wait_seconds=20").json["calls"]
        answers = [ask("POST", f"{here}/calls/{calls[0]['call']}", {"value": value}).is_good for value in ("first", "second")]
    finally:
        waiting.join(30)
    return answers == [True, True] and "both answers were taken"


judge(attack)
