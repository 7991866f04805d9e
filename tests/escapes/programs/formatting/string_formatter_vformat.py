# Call the inner method of the library's formatter.
# mechanism: string.Formatter.vformat
# stopped by: builtins
# reason: a formatter reads the attributes its template names

import string
import textwrap

loot(string.Formatter().vformat("{it.__code__}", (), {"it": textwrap.dedent}))
