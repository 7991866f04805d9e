# End the host by exit().
# mechanism: the helpers of the interactive prompt
# stopped by: run
# reason: an exit ends the cell, not the host
# control: none (whether it ends the host is what is tested)

exit(3)
