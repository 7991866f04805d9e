# aim: look for guards and other hidden things among the local variables
# mechanism: locals() in every kind of scope
# language: run
# reason: hidden variables, if there are any, lead nowhere
# jail: process
# plain: none (there is nothing hidden in plain Python)

class Body:
    loot(dict(locals()))


def function():
    loot(locals())
    return [loot(locals()) for _ in "x"]


function()
loot((lambda: locals())())
for value in list(globals().values()):
    loot(value)
