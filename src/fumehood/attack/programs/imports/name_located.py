# aim: have the documentation find an object by its full name
# mechanism: pydoc.locate
# language: check
# reason: the policy does not authorize pydoc
# jail: process
# plain: loot
import pydoc
loot(pydoc.locate("os.system"))
