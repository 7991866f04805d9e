# aim: look into a view for the module behind it
# mechanism: every attribute that dir() does not list but a proxy may have
# language: view
# reason: nothing of the real module can be read from its view
# jail: process
# plain: loot

import json

for name in (
    "_module __wrapped__ _real module real target _target _obj __self__ __dict__ _view _fumehood _source __module__ _loaded"
    " __getattr__ __reduce__ __init__ _names __slots__ __file__ __path__ __cached__ __package__ __loader__ __spec__"
).split():
    try:
        loot(getattr(json, name))
        loot(getattr(getattr(json, name), "__globals__"))
    except Exception:
        pass
loot(json.__dict__)
