# aim: read an attribute by the name of an enum property
# mechanism: enum.property is the type of a variable of enum.Enum
# language: check
# reason: _attr_type and _cls_type have an enum property read an attribute by a computed name
# jail: process
# plain: loot
# python: 3.12+

import enum
import textwrap
import types

made = type(vars(enum.Enum)["name"])()
made.name = "__globals__"
made._attr_type = "desc"
made.fget = None
loot(made.__get__(types.SimpleNamespace(_value_=textwrap.dedent), None))
