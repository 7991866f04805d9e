# Read the variables a tool closes over.
# mechanism: __closure__ of a tool
# stopped by: check
# reason: a tool is a stub with nothing of the host in it

loot([cell.cell_contents for cell in loot.__closure__])
