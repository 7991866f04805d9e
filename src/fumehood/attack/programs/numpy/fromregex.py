# aim: read a file by a regular expression
# mechanism: numpy.fromregex with a path
# language: view
# reason: fromregex reads files
# jail: mount namespace, landlock
# plain: loot
# imports: numpy

import numpy

loot(numpy.fromregex(secret_path, r"(\S+)", [("text", "U60")]).tolist()[0])
