# aim: let numpy call the program when the host divides by zero
# mechanism: numpy.seterrcall and numpy.seterr
# language: run
# reason: library state is shared by every session and by the host
# jail: process
# plain: loot
# imports: numpy

import numpy

numpy.seterrcall(lambda *args: None)
numpy.seterr(all="call")
# --- second executor
import numpy

if numpy.geterr()["divide"] == "call":
    loot("mutated: numpy's error handling")
