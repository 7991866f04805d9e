# Read a file as JSON lines.
# mechanism: pandas.read_json with a path
# stopped by: view
# reason: a path is a file of the host
# imports: pandas

import pandas

loot(pandas.read_json)
