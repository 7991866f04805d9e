# aim: let an f-string print a code object with its debug form
# mechanism: the = sign in a replacement field
# language: check
# reason: every node of the tree is checked, f-strings too
# jail: process
# plain: loot

import textwrap

loot(f"{textwrap.dedent.__code__=}")
