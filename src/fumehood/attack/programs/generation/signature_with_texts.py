# aim: have annotations that are texts be evaluated where a function was made
# mechanism: inspect.signature with eval_str
# language: check
# reason: the policy does not authorize inspect
# jail: process
# plain: loot
import inspect, json

def function(a: "__import__('os')"):
    pass

loot(inspect.signature(function, eval_str=True).parameters["a"].annotation)
