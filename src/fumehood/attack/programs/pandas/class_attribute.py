# aim: replace a method of a pandas class
# mechanism: attribute assignment on DataFrame
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot
# imports: pandas

import pandas

pandas.DataFrame.escaped = True
# --- second executor
import pandas

if hasattr(pandas.DataFrame, "escaped"):
    loot("mutated: pandas.DataFrame")
