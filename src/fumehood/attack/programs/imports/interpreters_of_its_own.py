# aim: run code in another interpreter of the same process
# mechanism: _interpreters or _xxsubinterpreters
# language: check
# reason: the policy does not authorize _interpreters
# jail: process
# plain: none (what the module is called and gives back differs from one Python to another)
import _interpreters
loot(_interpreters.create())
