# Let library code call globals() for the program.
# mechanism: contextmanager calls the function it wraps from its own module and keeps the result
# stopped by: builtins
# reason: globals() belongs to the program's namespace, whoever calls it

import contextlib

loot(contextlib.contextmanager(globals)().gen)
