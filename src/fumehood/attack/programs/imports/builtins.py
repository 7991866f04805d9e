# aim: import the real builtins
# mechanism: import builtins
# language: check
# reason: builtins holds the unguarded open, eval and getattr
# jail: process
# plain: loot

import builtins

loot(builtins)
