# aim: let library code call locals() for the program
# mechanism: contextmanager calls the function it wraps from its own module and keeps the result
# language: builtins
# reason: locals() belongs to the program's own frame, whoever calls it
# jail: process
# plain: loot

import contextlib

found = contextlib.contextmanager(locals)().gen
loot(found)
loot(found.get("func"))
