# aim: read the variables a tool closes over, by a computed name
# mechanism: getattr of __closure__
# language: builtins
# reason: a tool is a stub with nothing of the host in it
# jail: wire
# plain: loot

for cell in getattr(loot, "__clo" + "sure__"):
    loot(getattr(cell, "cell_" + "contents"))
