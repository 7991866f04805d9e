# aim: open a file of tables
# mechanism: pandas.HDFStore
# language: view
# reason: HDFStore reads and writes files
# jail: process
# plain: loot
# imports: pandas

import pandas

loot(pandas.HDFStore)
