# Let an f-string print a code object with its debug form.
# mechanism: the = sign in a replacement field
# stopped by: check
# reason: every node of the tree is checked, f-strings too

import textwrap

loot(f"{textwrap.dedent.__code__=}")
