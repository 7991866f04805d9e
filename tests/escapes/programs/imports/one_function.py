# Import only one function of a forbidden module.
# mechanism: from subprocess import name
# stopped by: check
# reason: the module is checked, whatever is taken from it

from subprocess import Popen

loot(Popen)
