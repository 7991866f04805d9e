# aim: make code objects from bytes
# mechanism: import marshal
# language: check
# reason: marshal makes code objects from bytes
# jail: process
# plain: loot

import marshal

loot(marshal)
