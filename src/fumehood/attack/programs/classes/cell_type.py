# aim: read the variables of a closure
# mechanism: __closure__ and cell_contents
# language: check
# reason: the closure of a library or tool function holds what it was made to hide
# jail: process
# plain: loot

loot(loot.__closure__[0].cell_contents)
