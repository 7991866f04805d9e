# aim: change how objects are pickled
# mechanism: import copyreg
# language: check
# reason: copyreg changes how every object of the process is pickled
# jail: process
# plain: loot

import copyreg

loot(copyreg)
