# aim: read the frame of a generator expression
# mechanism: gi_frame
# language: check
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

loot((x for x in "x").gi_frame)
