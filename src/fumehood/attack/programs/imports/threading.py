# aim: start threads that outlive the cell
# mechanism: import threading
# language: check
# reason: threading starts threads that outlive a cell
# jail: process
# plain: loot

import threading

loot(threading)
