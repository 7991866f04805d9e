# aim: write a file as a shelf of pickles
# mechanism: shelve.open
# language: check
# reason: the policy does not authorize shelve
# jail: mount namespace, landlock
# plain: loot
import shelve
with shelve.open(scratch_path) as shelf:
    shelf["a"] = 1
