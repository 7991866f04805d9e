# aim: call the inner method of the library's formatter
# mechanism: string.Formatter.vformat
# language: builtins
# reason: a formatter reads the attributes its template names
# jail: process
# plain: loot

import string
import textwrap

loot(string.Formatter().vformat("{it.__code__}", (), {"it": textwrap.dedent}))
