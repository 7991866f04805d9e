# Unpickle, which calls anything.
# mechanism: import pickle
# stopped by: check
# reason: pickle unpickling calls any function

import pickle

loot(pickle)
