# aim: let library code call globals() for the program
# mechanism: contextmanager calls the function it wraps from its own module and keeps the result
# language: builtins
# reason: globals() belongs to the program's namespace, whoever calls it
# jail: process
# plain: loot

import contextlib

loot(contextlib.contextmanager(globals)().gen)
