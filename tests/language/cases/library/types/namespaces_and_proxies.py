# SimpleNamespace holds attributes, MappingProxyType is a read-only view.
import types
from types import MappingProxyType, SimpleNamespace

config = SimpleNamespace(host="h", port=1)
config.port += 79
config.debug = True
print(config, config == SimpleNamespace(host="h", port=80, debug=True))
del config.debug
print(vars(config), hasattr(config, "debug"))
base = {"a": 1}
view = MappingProxyType(base)
base["b"] = 2
print(view, view["b"], list(view.items()), "a" in view, view | {"c": 3})
try:
    view["a"] = 5
except TypeError as error:
    print(error)
types.SimpleNamespace(**{"x": [1]})
