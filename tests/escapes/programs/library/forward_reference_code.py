# Read the code object that typing compiled from text.
# mechanism: ForwardRef.__forward_code__
# stopped by: check
# reason: a code object can be replaced by one that no check has seen

import typing

loot(typing.ForwardRef("int").__forward_code__)
