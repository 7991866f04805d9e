# aim: start a compiler through the search for a library
# mechanism: ctypes.util.find_library
# language: check
# reason: the policy does not authorize ctypes.util
# jail: process
# plain: loot
import ctypes.util
loot(ctypes.util.os)
