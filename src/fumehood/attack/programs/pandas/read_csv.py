# aim: read a file as a table
# mechanism: pandas.read_csv with a path
# language: view
# reason: a path is a file of the host
# jail: mount namespace, landlock
# plain: loot
# imports: pandas

import pandas

loot(str(list(pandas.read_csv(secret_path).columns)))
