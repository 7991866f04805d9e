# Pickle a table into a file, through super.
# mechanism: a super object is no table but answers like one
# stopped by: guard
# reason: to_pickle writes files
# imports: pandas

import pandas


class Mine(pandas.DataFrame):
    def write(self, path):
        super().to_pickle(path)


Mine({"a": [1]}).write(scratch_path)
