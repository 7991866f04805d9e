# aim: look for objects of the host in the attributes of library errors
# mechanism: UnicodeError.object, ImportError.path, KeyError.args, JSONDecodeError.doc
# language: view
# reason: an error carries what the program gave, not where the library lives
# jail: process
# plain: loot

import json

errors = []
for attempt in (
    lambda: b"\xff".decode(),
    lambda: json.loads("{"),
    lambda: {}["key"],
    lambda: json.nothing,
    lambda: unknown_name,
    lambda: __import__("json.nothing"),
):
    try:
        attempt()
    except Exception as error:
        errors.append(error)
for error in errors:
    for name in ("obj", "object", "doc", "path", "name", "args", "value"):
        loot(getattr(error, name, None))
