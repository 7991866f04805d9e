# aim: hide the forbidden attribute in the default of a keyword-only parameter
# mechanism: kw_defaults is another field of the tree than defaults
# language: check
# reason: every node of the tree is checked, keyword-only defaults too
# jail: process
# plain: loot

import json

(lambda *, found=json.dumps.__globals__: loot(found))()
