# Let operator call the method by name.
# mechanism: operator.methodcaller
# stopped by: builtins
# reason: str.format reads the attributes its template names

import operator
import textwrap

loot(operator.methodcaller("format", textwrap.dedent)("{0.__code__}"))
