# aim: import the table of loaded modules by name
# mechanism: from sys import modules
# language: view
# reason: of sys only constants and pure functions are given
# jail: process
# plain: loot

from sys import modules

loot(modules)
