# aim: hide the forbidden attribute in the annotation of a variable
# mechanism: annotations in a class body are evaluated
# language: check
# reason: every node of the tree is checked, annotations too
# jail: process
# plain: loot
# refuses: __globals__

import json


class Record:
    field: loot(json.dumps.__globals__)


Record.__annotations__
