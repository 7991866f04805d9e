# aim: read the variables of a class that a decorator has copied
# mechanism: contextlib.contextmanager(type(lambda: 0)) copies the class's dictionary into its own
# language: guard
# reason: an object's variables are shown without what the name table refuses
# jail: process
# plain: loot

import contextlib
import textwrap

loot(vars(contextlib.contextmanager(type(lambda: 0)))["__globals__"].__get__(textwrap.dedent))
