# Reach sys through the inside of pandas.
# mechanism: pandas.compat.sys
# stopped by: view
# reason: a module found inside a module is a view or absent
# imports: pandas

import pandas

loot(pandas.compat.sys)
