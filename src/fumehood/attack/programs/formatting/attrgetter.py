# aim: let operator fetch the method by name
# mechanism: operator.attrgetter
# language: builtins
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot

import operator
import textwrap

loot(operator.attrgetter("format")("{0.__code__}")(textwrap.dedent))
