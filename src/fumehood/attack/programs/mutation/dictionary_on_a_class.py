# aim: change a dictionary that a library class keeps
# mechanism: TextWrapper.unicode_whitespace_trans is shared by all wrappers
# language: run
# reason: library data are shared by every session and by the host
# jail: process
# plain: loot
# limit: library state is shared with this process

import textwrap

textwrap.TextWrapper.unicode_whitespace_trans[ord("a")] = ord("b")
# --- second executor
import textwrap

if textwrap.fill("a") == "b":
    loot("mutated: textwrap.TextWrapper")
