# aim: import relative to the package of the program
# mechanism: from . import name, level one
# language: view
# reason: a program is in no package
# jail: process
# plain: none (a program that is in no package cannot import relatively in plain Python either)

from . import loot as module

loot(module)
