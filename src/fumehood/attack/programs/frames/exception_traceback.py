# aim: read the frame of an exception
# mechanism: __traceback__.tb_frame
# language: check
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

try:
    1 / 0
except ZeroDivisionError as error:
    loot(error.__traceback__.tb_frame)
