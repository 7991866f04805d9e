# aim: end the host by exit()
# mechanism: the helpers of the interactive prompt
# language: run
# reason: an exit ends the cell, not the host
# jail: process
# plain: none (whether it ends the host is what is tested)

exit(3)
