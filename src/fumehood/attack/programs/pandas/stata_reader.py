# aim: open a file with a reader class that is exported for type hints
# mechanism: pandas.api.typing.StataReader
# language: view
# reason: a path is a file of the host
# jail: process
# plain: loot
# imports: pandas

import pandas

loot(pandas.api.typing.StataReader)
