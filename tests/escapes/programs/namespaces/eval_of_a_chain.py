# Evaluate a forbidden chain from text.
# mechanism: eval
# stopped by: builtins
# reason: eval goes through the same check

loot(eval("().__class__.__base__.__subcl" + "asses__()"))
