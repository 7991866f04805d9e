# Write a table into a file by the method that prints it.
# mechanism: DataFrame.to_string takes a path as its buffer
# stopped by: builtins
# reason: a path is a file of the host
# imports: pandas

import pandas

pandas.DataFrame({"a": [1]}).to_string(scratch_path)
