# aim: compile text and hand the code object out
# mechanism: compile
# language: builtins
# reason: compile returns something that runs but is not a code object
# jail: process
# plain: loot

loot(compile("1", "name", "eval"))
