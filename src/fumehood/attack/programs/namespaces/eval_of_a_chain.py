# aim: evaluate a forbidden chain from text
# mechanism: eval
# language: builtins
# reason: eval goes through the same check
# jail: process
# plain: loot

loot(eval("().__class__.__base__.__subcl" + "asses__()"))
