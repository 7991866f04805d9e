# aim: write a table into a file
# mechanism: DataFrame.to_csv with a path
# language: builtins
# reason: a path is a file of the host
# jail: mount namespace, landlock
# plain: loot
# imports: pandas

import pandas

pandas.DataFrame({"a": [1]}).to_csv(scratch_path)
