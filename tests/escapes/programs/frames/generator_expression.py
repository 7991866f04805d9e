# Read the frame of a generator expression.
# mechanism: gi_frame
# stopped by: check
# reason: a frame leads to the variables of every caller

loot((x for x in "x").gi_frame)
