# Write a series into a file.
# mechanism: Series.to_json with a path
# stopped by: builtins
# reason: a path is a file of the host
# imports: pandas

import pandas

pandas.Series([1]).to_json(scratch_path)
