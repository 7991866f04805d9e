# Load a module that is not authorized with the loader of one that is.
# mechanism: __loader__, whose module holds sys and the importer
# stopped by: check
# reason: a loader loads any module and reads any file

import json

loot(json.__loader__.get_data.__globals__)
