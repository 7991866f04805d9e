# Read a file as a table.
# mechanism: pandas.read_csv with a path
# stopped by: view
# reason: a path is a file of the host
# imports: pandas

import pandas

loot(str(list(pandas.read_csv(secret_path).columns)))
