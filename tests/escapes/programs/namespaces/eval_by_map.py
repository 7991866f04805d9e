# Let map call eval.
# mechanism: eval as a function among others
# stopped by: builtins
# reason: eval goes through the same check whoever calls it

loot(list(map(eval, ["().__class__.__base__.__subcl" + "asses__()"]))[0])
