# Make a code object from bytes.
# mechanism: types.CodeType
# stopped by: view
# reason: code made from bytes is code that no check has seen

import types

loot(types.CodeType)
