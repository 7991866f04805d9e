# End the host by SystemExit.
# mechanism: raise SystemExit
# stopped by: run
# reason: an exit ends the cell, not the host
# control: none (whether it ends the host is what is tested)

raise SystemExit(3)
