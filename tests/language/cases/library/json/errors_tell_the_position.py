# Bad JSON raises JSONDecodeError with the position, and values that do not fit raise TypeError.
import json

for bad in ['{"a": }', "[1, 2", "{'a': 1}", "", '{"a": 1} x', "[1,]"]:
    try:
        json.loads(bad)
    except json.JSONDecodeError as error:
        print(repr(bad), error.lineno, error.colno, error.pos)
    except ValueError as error:
        print("other", error)
loop = []
loop.append(loop)
try:
    json.dumps(loop)
except ValueError as error:
    print(error)
# ---
json.dumps({"f": 1j})
# ---
json.loads("nope")
