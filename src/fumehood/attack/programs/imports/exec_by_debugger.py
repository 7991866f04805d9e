# aim: run text as code by the debugger
# mechanism: bdb.Bdb.runeval
# language: check
# reason: the policy does not authorize bdb
# jail: process
# plain: loot
import bdb
loot(bdb.Bdb().runeval("__import__('os')", {}, {}))
