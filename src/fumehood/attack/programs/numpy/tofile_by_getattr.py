# aim: write a file by a method of an array, by a computed name
# mechanism: getattr of tofile
# language: builtins
# reason: tofile writes files
# jail: mount namespace, landlock
# plain: loot
# imports: numpy

import numpy

getattr(numpy.zeros(3), "to" + "file")(scratch_path)
