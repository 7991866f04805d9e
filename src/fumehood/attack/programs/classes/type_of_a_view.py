# aim: make a view of another module with the class of a view
# mechanism: type() of a module that was imported
# language: view
# reason: the class of views cannot be called with a module of choice
# jail: process
# plain: loot

import json

kind = type(json)
for arguments in (("os",), ("json.codecs",), (json, "os"), ()):
    try:
        made = kind(*arguments)
        loot(made)
        loot(made.system)
    except Exception:
        pass
loot(json)
