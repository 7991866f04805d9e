# aim: pickle a table into a file, through super
# mechanism: a super object is no table but answers like one
# language: guard
# reason: to_pickle writes files
# jail: mount namespace, landlock
# plain: loot
# imports: pandas

import pandas


class Mine(pandas.DataFrame):
    def write(self, path):
        super().to_pickle(path)


Mine({"a": [1]}).write(scratch_path)
