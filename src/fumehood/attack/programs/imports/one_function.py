# aim: import only one function of a forbidden module
# mechanism: from subprocess import name
# language: check
# reason: the module is checked, whatever is taken from it
# jail: process
# plain: loot

from subprocess import Popen

loot(Popen)
