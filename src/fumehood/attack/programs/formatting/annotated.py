# aim: take the raw format method from an object that stands for a string
# mechanism: typing.Annotated[str, 1] answers with the attributes of what it was made of
# language: guard
# reason: the object that an attribute access returned is checked, not its owner
# jail: process
# plain: loot

import typing

loot(typing.Annotated[str, 1].format)
