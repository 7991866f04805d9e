# aim: leave code behind that runs when the host ends
# mechanism: import atexit
# language: check
# reason: atexit runs code when the host ends
# jail: process
# plain: loot

import atexit

loot(atexit)
