# Call C functions and read memory.
# mechanism: import ctypes
# stopped by: check
# reason: ctypes calls any C function and reads any memory

import ctypes

loot(ctypes)
