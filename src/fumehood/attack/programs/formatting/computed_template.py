# aim: compute the template
# mechanism: no forbidden name is spelled in the source
# language: guard
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot

import textwrap

template = "{0." + "_" * 2 + "code" + "_" * 2 + "}"
loot(template.format(textwrap.dedent))
