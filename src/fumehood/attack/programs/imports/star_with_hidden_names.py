# aim: import hidden names with an explicit list
# mechanism: from random import _os
# language: view
# reason: private names of modules are not given
# jail: process
# plain: loot

from random import _os

loot(_os)
