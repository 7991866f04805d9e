# aim: walk the chain of exceptions to one raised inside the library
# mechanism: __context__ and __traceback__.tb_next
# language: check
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

import json

try:
    try:
        json.loads("{")
    except ValueError:
        1 / 0
except ZeroDivisionError as error:
    trace = error.__context__.__traceback__
    while trace.tb_next:
        trace = trace.tb_next
    loot(trace.tb_frame)
