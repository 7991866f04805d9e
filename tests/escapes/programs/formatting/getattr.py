# Fetch the method by a computed name.
# mechanism: getattr
# stopped by: builtins
# reason: str.format reads the attributes its template names

import textwrap

loot(getattr("{0.__code__}", "for" + "mat")(textwrap.dedent))
