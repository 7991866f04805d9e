# Call the method of str with the template as first argument.
# mechanism: str.format as a function
# stopped by: guard
# reason: str.format reads the attributes its template names

import textwrap

loot(str.format("{0.__code__}", textwrap.dedent))
