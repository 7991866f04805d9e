# aim: unpickle, which calls anything
# mechanism: import pickle
# language: check
# reason: pickle unpickling calls any function
# jail: process
# plain: loot

import pickle

loot(pickle)
