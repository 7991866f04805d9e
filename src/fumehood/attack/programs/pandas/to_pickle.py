# aim: pickle a table into a file
# mechanism: DataFrame.to_pickle
# language: guard
# reason: to_pickle writes files
# jail: mount namespace, landlock
# plain: loot
# imports: pandas

import pandas

pandas.DataFrame({"a": [1]}).to_pickle(scratch_path)
