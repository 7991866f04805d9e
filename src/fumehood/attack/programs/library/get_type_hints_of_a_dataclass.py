# aim: let typing evaluate the annotations of a record made from strings
# mechanism: make_dataclass keeps types as text
# language: builtins
# reason: the library evaluates text unguarded
# jail: process
# plain: loot

import dataclasses
import typing

Record = dataclasses.make_dataclass("Record", [("field", "().__class__.__base__.__subcl" + "asses__")])
loot(typing.get_type_hints(Record)["field"])
