# Reach the loader through the module specification.
# mechanism: __spec__.loader
# stopped by: check
# reason: a loader loads any module and reads any file

import json

loot(type(json.__spec__.loader).get_data.__globals__)
