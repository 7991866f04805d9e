# aim: walk from an object to its globals by names found in dir
# mechanism: names compared by their letters, so that none is written
# source: a classic of Python jails in capture-the-flag games
# language: builtins
# reason: a computed name obeys the same table as one that is written
# jail: process
# plain: loot
import json
loot([getattr(json.dumps, name) for name in dir(json.dumps) if name.strip("_") == "globals"][0])
