# Import in evaluated text.
# mechanism: eval of an __import__ call
# stopped by: builtins
# reason: evaluated text goes through the same check

loot(eval("__import__('sub' + 'process')"))
