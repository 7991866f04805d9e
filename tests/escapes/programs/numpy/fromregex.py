# Read a file by a regular expression.
# mechanism: numpy.fromregex with a path
# stopped by: view
# reason: fromregex reads files
# imports: numpy

import numpy

loot(numpy.fromregex(secret_path, r"(\S+)", [("text", "U60")]).tolist()[0])
