# Run source text with the interactive interpreter.
# mechanism: import code
# stopped by: check
# reason: code runs source text unguarded

import code

loot(code)
