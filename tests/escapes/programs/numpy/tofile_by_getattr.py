# Write a file by a method of an array, by a computed name.
# mechanism: getattr of tofile
# stopped by: builtins
# reason: tofile writes files
# imports: numpy

import numpy

getattr(numpy.zeros(3), "to" + "file")(scratch_path)
