# aim: call C functions and read memory
# mechanism: import ctypes
# language: check
# reason: ctypes calls any C function and reads any memory
# jail: process
# plain: loot

import ctypes

loot(ctypes)
