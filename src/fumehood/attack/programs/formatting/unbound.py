# aim: call the method of str with the template as first argument
# mechanism: str.format as a function
# language: guard
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot

import textwrap

loot(str.format("{0.__code__}", textwrap.dedent))
