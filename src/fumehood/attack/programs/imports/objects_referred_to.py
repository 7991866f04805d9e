# aim: find what refers to an object
# mechanism: gc.get_referrers
# language: check
# reason: the policy does not authorize gc
# jail: process
# plain: loot
import gc
loot([each for each in gc.get_referrers(gc.get_referrers) if type(each) is dict][0])
