# aim: add an accessor to every table of the host
# mechanism: pandas.api.extensions.register_dataframe_accessor
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot
# limit: library state is shared with this process
# imports: pandas

import pandas


@pandas.api.extensions.register_dataframe_accessor("escaped")
class Accessor:
    def __init__(self, table):
        pass


# --- second executor
import pandas

if hasattr(pandas.DataFrame, "escaped"):
    loot("mutated: pandas.DataFrame")
