# aim: read a forbidden attribute by the keyword of a class pattern
# mechanism: kwd_attrs of a class pattern are plain strings in the tree
# language: check
# reason: a class pattern reads the attributes it names
# jail: process
# plain: loot

import json

match json.dumps:
    case object(__globals__=found):
        loot(found)
