# Open a file with a reader class that is exported for type hints.
# mechanism: pandas.api.typing.StataReader
# stopped by: view
# reason: a path is a file of the host
# imports: pandas

import pandas

loot(pandas.api.typing.StataReader)
