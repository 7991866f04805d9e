# aim: take a library function out of a weak reference
# mechanism: weakref.WeakMethod
# language: check
# reason: a module's namespace holds the real builtins and every module it imported
# jail: process
# plain: loot

import json
import weakref

encoder = json.JSONEncoder()
loot(weakref.WeakMethod(encoder.encode)().__globals__)
