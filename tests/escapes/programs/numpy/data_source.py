# Open a file or address through numpy's file finder.
# mechanism: numpy.lib.npyio.DataSource
# stopped by: view
# reason: DataSource opens files and addresses
# imports: numpy

import numpy

loot(numpy.lib.npyio.DataSource(None).open(secret_path).read())
