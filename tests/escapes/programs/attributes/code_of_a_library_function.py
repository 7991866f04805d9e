# Read the code object of a library function.
# mechanism: __code__
# stopped by: check
# reason: a code object can be replaced by one that no check has seen

import textwrap

loot(textwrap.dedent.__code__)
