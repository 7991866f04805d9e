# aim: change how numpy prints for everybody
# mechanism: numpy.set_printoptions
# language: run
# reason: library state is shared by every session and by the host
# jail: process
# plain: loot
# imports: numpy

import numpy

numpy.set_printoptions(formatter={"all": lambda value: "changed"})
# --- second executor
import numpy

if "changed" in str(numpy.zeros(1)):
    loot("mutated: numpy's print options")
