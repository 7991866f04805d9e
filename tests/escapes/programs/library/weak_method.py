# Take a library function out of a weak reference.
# mechanism: weakref.WeakMethod
# stopped by: check
# reason: a module's namespace holds the real builtins and every module it imported

import json
import weakref

encoder = json.JSONEncoder()
loot(weakref.WeakMethod(encoder.encode)().__globals__)
