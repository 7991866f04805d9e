# aim: have annotations that are texts be evaluated in the namespace of a library
# mechanism: inspect.get_annotations with globals of another module
# language: check
# reason: the policy does not authorize inspect
# jail: process
# plain: loot
import inspect, random

class Record:
    a: "_os"

loot(inspect.get_annotations(Record, globals=vars(random), eval_str=True)["a"])
