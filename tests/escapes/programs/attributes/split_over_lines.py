# Spell a forbidden chain over several lines with comments in between.
# mechanism: whitespace between the dot and the name
# stopped by: check
# reason: the syntax tree is checked, not the text

import json

loot(
    json.dumps.
    # the name comes on a line of its own
    __globals__
)
