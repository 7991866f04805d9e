# aim: read the code object of a library function
# mechanism: __code__
# language: check
# reason: a code object can be replaced by one that no check has seen
# jail: process
# plain: loot

import textwrap

loot(textwrap.dedent.__code__)
