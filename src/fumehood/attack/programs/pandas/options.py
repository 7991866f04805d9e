# aim: change how tables are shown for everybody
# mechanism: pandas.set_option
# language: run
# reason: library state is shared by every session and by the host
# jail: process
# plain: loot
# limit: library state is shared with this process
# imports: pandas

import pandas

pandas.set_option("display.max_rows", 3)
# --- second executor
import pandas

if pandas.get_option("display.max_rows") == 3:
    loot("mutated: the options of pandas")
