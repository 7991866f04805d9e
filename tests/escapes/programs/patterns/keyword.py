# Read a forbidden attribute by the keyword of a class pattern.
# mechanism: kwd_attrs of a class pattern are plain strings in the tree
# stopped by: check
# reason: a class pattern reads the attributes it names

import json

match json.dumps:
    case object(__globals__=found):
        loot(found)
