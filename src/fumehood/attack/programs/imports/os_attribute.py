# aim: use the function that starts a shell as an attribute
# mechanism: import os; os.system
# language: view
# reason: of os only constants and pure functions are given
# jail: process
# plain: loot

import os

loot(os.system)
