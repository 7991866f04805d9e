# aim: evaluate a forbidden chain in a class body and in a comprehension
# mechanism: eval takes the namespace of where it is called
# language: builtins
# reason: eval goes through the same check wherever it is called
# jail: process
# plain: loot

class Body:
    found = [eval("().__class__.__base__.__subcl" + "asses__()") for _ in "x"]


loot(Body.found[0])
