# aim: have a generated __init__ run a field's name as code
# mechanism: dataclasses.make_dataclass writes names into the source that it compiles
# language: builtins
# reason: names of fields are checked as names in code are
# jail: process
# plain: none (the library refuses it as well)
import dataclasses
for name in ("a=__import__('os')", "a: int = 1):\n import os\n def x(", "__builtins__ = 1"):
    try:
        dataclasses.make_dataclass("D", [name])
    except Exception as error:
        pass
