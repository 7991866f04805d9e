# Reach os through the inside of pandas.
# mechanism: pandas.io.common.os
# stopped by: view
# reason: a module found inside a module is a view or absent
# imports: pandas

import pandas

loot(pandas.io.common.os)
