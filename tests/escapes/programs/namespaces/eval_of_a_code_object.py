# Compile text and hand the code object out.
# mechanism: compile
# stopped by: builtins
# reason: compile returns something that runs but is not a code object

loot(compile("1", "name", "eval"))
