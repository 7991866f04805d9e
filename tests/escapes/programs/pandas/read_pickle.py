# Unpickle a file.
# mechanism: pandas.read_pickle
# stopped by: view
# reason: unpickling calls any function
# imports: pandas

import pandas

loot(pandas.read_pickle)
