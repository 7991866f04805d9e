import builtins
import importlib
import importlib.util
import json
import math
import pkgutil
import platform
import sys

print(importlib.import_module("json.decoder").__name__, importlib.util.find_spec("no_such_module"))
print(hasattr(math, "tau"), callable(builtins.open), builtins.__name__, __builtins__ is builtins)
print(sys.version_info >= (3, 11), platform.python_implementation(), sys.byteorder, sys.maxsize == 2**63 - 1)
print("json" in sys.modules, "collections" in sys.stdlib_module_names, platform.system())
print(sorted(name for _, name, _ in pkgutil.iter_modules(json.__path__)))
print(isinstance(sys.path, list), sys.getsizeof([]) > 0, sys.getrefcount(object()) >= 1, sys.intern("a") is sys.intern("a"))
