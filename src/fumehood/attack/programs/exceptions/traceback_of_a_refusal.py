# aim: follow the traceback of a refusal into the frames of the guard
# mechanism: tb_next is an ordinary name
# language: builtins
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

import json

try:
    getattr(json.dumps, "nothing_of_this_name")
except Exception as error:
    trace = getattr(error, "__traceback__", None)
    while trace is not None:
        loot(getattr(trace, "tb_fr" + "ame", None))
        trace = trace.tb_next
