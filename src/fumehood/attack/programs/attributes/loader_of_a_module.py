# aim: load a module that is not authorized with the loader of one that is
# mechanism: __loader__, whose module holds sys and the importer
# language: check
# reason: a loader loads any module and reads any file
# jail: process
# plain: loot

import json

loot(json.__loader__.get_data.__globals__)
