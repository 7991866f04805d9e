# aim: import the function that starts a shell from a module of which constants are authorized
# mechanism: from os import system
# language: view
# reason: of os only constants and pure functions are given
# jail: process
# plain: loot

from os import path, system

loot(system)
