# Replace a method of a pandas class.
# mechanism: attribute assignment on DataFrame
# stopped by: run
# reason: library classes are shared by every session and by the host
# imports: pandas

import pandas

pandas.DataFrame.escaped = True
# --- second executor
import pandas

if hasattr(pandas.DataFrame, "escaped"):
    loot("mutated: pandas.DataFrame")
