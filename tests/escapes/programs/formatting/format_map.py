# Use the mapping form.
# mechanism: str.format_map
# stopped by: guard
# reason: str.format_map reads the attributes its template names

import textwrap

loot("{it.__code__}".format_map({"it": textwrap.dedent}))
