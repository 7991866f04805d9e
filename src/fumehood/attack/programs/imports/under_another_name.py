# aim: import a forbidden module under an authorized name
# mechanism: import subprocess as math
# language: check
# reason: the module is checked, not the name it is given
# jail: process
# plain: loot

import subprocess as math

loot(math)
