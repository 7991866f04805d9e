# aim: reach sys through the inside of pandas
# mechanism: pandas.compat.sys
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot
# imports: pandas

import pandas

loot(pandas.compat.sys)
