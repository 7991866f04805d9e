# aim: import in evaluated text
# mechanism: eval of an __import__ call
# language: builtins
# reason: evaluated text goes through the same check
# jail: process
# plain: loot

loot(eval("__import__('sub' + 'process')"))
