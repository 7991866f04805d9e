# Change a dictionary that a library class keeps.
# mechanism: TextWrapper.unicode_whitespace_trans is shared by all wrappers
# stopped by: run
# reason: library data are shared by every session and by the host

import textwrap

textwrap.TextWrapper.unicode_whitespace_trans[ord("a")] = ord("b")
# --- second executor
import textwrap

if textwrap.fill("a") == "b":
    loot("mutated: textwrap.TextWrapper")
