# Read a file as a table by another name.
# mechanism: pandas.read_table and read_fwf with a path
# stopped by: view
# reason: a path is a file of the host
# imports: pandas

import pandas

loot(str(list(pandas.read_fwf(secret_path).columns)))
