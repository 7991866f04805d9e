# Compute the template.
# mechanism: no forbidden name is spelled in the source
# stopped by: guard
# reason: str.format reads the attributes its template names

import textwrap

template = "{0." + "_" * 2 + "code" + "_" * 2 + "}"
loot(template.format(textwrap.dedent))
