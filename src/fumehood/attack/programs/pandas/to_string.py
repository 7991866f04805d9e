# aim: write a table into a file by the method that prints it
# mechanism: DataFrame.to_string takes a path as its buffer
# language: builtins
# reason: a path is a file of the host
# jail: mount namespace, landlock
# plain: loot
# imports: pandas

import pandas

pandas.DataFrame({"a": [1]}).to_string(scratch_path)
