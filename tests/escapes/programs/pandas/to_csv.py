# Write a table into a file.
# mechanism: DataFrame.to_csv with a path
# stopped by: builtins
# reason: a path is a file of the host
# imports: pandas

import pandas

pandas.DataFrame({"a": [1]}).to_csv(scratch_path)
