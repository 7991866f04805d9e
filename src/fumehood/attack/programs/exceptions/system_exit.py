# aim: end the host by SystemExit
# mechanism: raise SystemExit
# language: run
# reason: an exit ends the cell, not the host
# jail: process
# plain: none (whether it ends the host is what is tested)

raise SystemExit(3)
