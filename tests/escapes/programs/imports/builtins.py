# Import the real builtins.
# mechanism: import builtins
# stopped by: check
# reason: builtins holds the unguarded open, eval and getattr

import builtins

loot(builtins)
