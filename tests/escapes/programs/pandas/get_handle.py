# Open a file through the inside of pandas.
# mechanism: pandas.io.common.get_handle
# stopped by: view
# reason: get_handle opens files and addresses
# imports: pandas

import pandas

loot(pandas.io.common.get_handle)
