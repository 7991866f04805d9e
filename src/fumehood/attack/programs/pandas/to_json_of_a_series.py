# aim: write a series into a file
# mechanism: Series.to_json with a path
# language: builtins
# reason: a path is a file of the host
# jail: mount namespace, landlock
# plain: loot
# imports: pandas

import pandas

pandas.Series([1]).to_json(scratch_path)
