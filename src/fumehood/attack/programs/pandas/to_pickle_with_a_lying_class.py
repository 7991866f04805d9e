# aim: pickle a table that claims to be a module into a file
# mechanism: isinstance believes __class__
# language: guard
# reason: to_pickle writes files
# jail: mount namespace, landlock
# plain: loot
# imports: pandas

import types

import pandas

lies = False


class Mine(pandas.DataFrame):
    __class__ = property(lambda self: types.ModuleType if lies else Mine)


table = Mine({"a": [1]})
lies = True
write = table.to_pickle
lies = False
write(scratch_path)
