# aim: spell a forbidden chain over several lines with comments in between
# mechanism: whitespace between the dot and the name
# language: check
# reason: the syntax tree is checked, not the text
# jail: process
# plain: loot

import json

loot(
    json.dumps.
    # the name comes on a line of its own
    __globals__
)
