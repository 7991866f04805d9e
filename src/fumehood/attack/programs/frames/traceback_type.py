# aim: make a traceback from a frame taken out of another one
# mechanism: types.TracebackType
# language: view
# reason: tracebacks and frames are made by the interpreter only
# jail: process
# plain: loot

import types

try:
    1 / 0
except ZeroDivisionError as error:
    trace = getattr(error, "__traceback__")
    made = types.TracebackType(None, getattr(trace, "tb_fr" + "ame"), 0, 1)
    loot(getattr(made, "tb_fr" + "ame"))
