# aim: let copy.replace call a hook of the program's with the attributes of another object
# mechanism: __replace__ of a function's type does not exist, of a code object it does
# language: check
# reason: a code object can be replaced by one that no check has seen
# jail: process
# plain: loot
# python: 3.13+

import copy

loot(copy.replace((lambda: 0).__code__, co_name="other"))
