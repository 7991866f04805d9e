# Let operator fetch the method by name.
# mechanism: operator.attrgetter
# stopped by: builtins
# reason: str.format reads the attributes its template names

import operator
import textwrap

loot(operator.attrgetter("format")("{0.__code__}")(textwrap.dedent))
