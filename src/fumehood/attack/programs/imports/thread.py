# aim: start threads through the C module
# mechanism: import _thread
# language: check
# reason: _thread starts threads that outlive a cell
# jail: process
# plain: loot

import _thread

loot(_thread)
