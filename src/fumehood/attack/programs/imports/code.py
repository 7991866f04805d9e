# aim: run source text with the interactive interpreter
# mechanism: import code
# language: check
# reason: code runs source text unguarded
# jail: process
# plain: loot

import code

loot(code)
