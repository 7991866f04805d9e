# aim: read a file as JSON lines
# mechanism: pandas.read_json with a path
# language: view
# reason: a path is a file of the host
# jail: process
# plain: loot
# imports: pandas

import pandas

loot(pandas.read_json)
