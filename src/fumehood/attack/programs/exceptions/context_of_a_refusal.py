# aim: look for the host's objects in the error that a refusal raises
# mechanism: __context__, __cause__, args and every attribute of the error
# language: run
# reason: a refusal carries its text and nothing else
# jail: process
# plain: none (plain Python refuses nothing)

import json

attempts = [
    lambda: getattr(json.dumps, "__glo" + "bals__"),
    lambda: "{0.__glo" "bals__}".format(json.dumps),
    lambda: eval("json.dumps.__glo" + "bals__"),
    lambda: vars(json),
    lambda: __import__("sub" + "process"),
    lambda: open("x"),
    lambda: setattr(json, "dumps", 1),
]
for attempt in attempts:
    try:
        attempt()
    except BaseException as error:
        seen = [error, getattr(error, "__context__", None), getattr(error, "__cause__", None)]
        for each in seen:
            loot(getattr(each, "args", None))
            for name in dir(each):
                try:
                    loot(getattr(each, name))
                except Exception:
                    pass
