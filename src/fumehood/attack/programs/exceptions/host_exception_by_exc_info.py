# aim: ask for the exception that the host is handling
# mechanism: sys.exc_info() outside any handler of the program's
# language: run
# reason: what the host is handling is not for the code it runs
# jail: process
# plain: loot

import sys

kind, error, trace = sys.exc_info()
loot(getattr(error, "args", None))
