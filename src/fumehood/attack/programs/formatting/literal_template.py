# aim: print a code object by a template
# mechanism: str.format follows dots in its fields
# source: CVE-2016-10745 (Jinja's sandbox)
# language: guard
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot

import textwrap

loot("{0.__code__}".format(textwrap.dedent))
