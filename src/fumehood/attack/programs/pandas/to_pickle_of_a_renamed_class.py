# aim: pickle a table whose classes say that they come from elsewhere
# mechanism: __module__ of a class can be written
# language: guard
# reason: to_pickle writes files
# jail: mount namespace, landlock
# plain: loot
# imports: pandas

import pandas

for kind in pandas.DataFrame.__mro__:
    try:
        kind.__module__ = "elsewhere"
    except TypeError:
        pass
pandas.DataFrame({"a": [1]}).to_pickle(scratch_path)
