# Open a file of tables.
# mechanism: pandas.HDFStore
# stopped by: view
# reason: HDFStore reads and writes files
# imports: pandas

import pandas

loot(pandas.HDFStore)
