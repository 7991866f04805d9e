# aim: open a file through the inside of pandas
# mechanism: pandas.io.common.get_handle
# language: view
# reason: get_handle opens files and addresses
# jail: process
# plain: loot
# imports: pandas

import pandas

loot(pandas.io.common.get_handle)
