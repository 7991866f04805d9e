# aim: read the code object that typing compiled from text
# mechanism: ForwardRef.__forward_code__
# language: check
# reason: a code object can be replaced by one that no check has seen
# jail: process
# plain: loot

import typing

loot(typing.ForwardRef("int").__forward_code__)
