# aim: change the value of a flag for everybody
# mechanism: a member keeps its value in an attribute that can be written
# language: run
# reason: library objects are shared by every session and by the host
# jail: process
# plain: loot
# limit: library state is shared with this process

import re

re.IGNORECASE._value_ = 0
# --- second executor
import re

if re.compile("a1", re.IGNORECASE).match("A1") is None:
    loot("mutated: re.IGNORECASE")
