# aim: read the variables a tool closes over
# mechanism: __closure__ of a tool
# language: check
# reason: a tool is a stub with nothing of the host in it
# jail: wire
# plain: loot

loot([cell.cell_contents for cell in loot.__closure__])
