# aim: run text as code by the profiler
# mechanism: cProfile.Profile.runctx
# language: check
# reason: the policy does not authorize cProfile
# jail: process
# plain: loot
import cProfile
cProfile.Profile().runctx("take(__import__('os'))", {"take": loot}, {})
