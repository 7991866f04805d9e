# Read the frame of an exception.
# mechanism: __traceback__.tb_frame
# stopped by: check
# reason: a frame leads to the variables of every caller

try:
    1 / 0
except ZeroDivisionError as error:
    loot(error.__traceback__.tb_frame)
