# aim: have a generated class run a field's name as code
# mechanism: collections.namedtuple writes names into the source that it compiles
# language: run
# reason: the library checks names, and what it generates runs with nothing of the host's
# jail: process
# plain: none (the library refuses it as well)
import collections
for names in (["a=__import__('os')"], ["a):\n  pass\nimport os\ndef f(self"], ["__class__"], ["a", "a"], ["_", "lambda"]):
    try:
        loot(collections.namedtuple("T", names))
    except Exception as error:
        pass
