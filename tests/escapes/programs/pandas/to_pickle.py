# Pickle a table into a file.
# mechanism: DataFrame.to_pickle
# stopped by: guard
# reason: to_pickle writes files
# imports: pandas

import pandas

pandas.DataFrame({"a": [1]}).to_pickle(scratch_path)
