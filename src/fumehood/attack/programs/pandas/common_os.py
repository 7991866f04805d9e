# aim: reach os through the inside of pandas
# mechanism: pandas.io.common.os
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot
# imports: pandas

import pandas

loot(pandas.io.common.os)
