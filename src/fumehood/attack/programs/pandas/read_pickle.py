# aim: unpickle a file
# mechanism: pandas.read_pickle
# language: view
# reason: unpickling calls any function
# jail: process
# plain: loot
# imports: pandas

import pandas

loot(pandas.read_pickle)
