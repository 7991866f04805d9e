# aim: read everything that dir() lists of a module
# mechanism: dir() and getattr in a loop
# language: view
# reason: a view lists and holds public, authorized names only
# jail: process
# plain: loot

import json

for name in dir(json):
    try:
        loot(getattr(json, name))
    except Exception:
        pass
