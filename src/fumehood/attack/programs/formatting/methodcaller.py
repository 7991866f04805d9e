# aim: let operator call the method by name
# mechanism: operator.methodcaller
# language: builtins
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot

import operator
import textwrap

loot(operator.methodcaller("format", textwrap.dedent)("{0.__code__}"))
