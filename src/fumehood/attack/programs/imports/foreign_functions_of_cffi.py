# aim: call C by a library that is not the standard one
# mechanism: _cffi_backend
# language: check
# reason: the policy does not authorize _cffi_backend
# jail: seccomp
# plain: none (the library is not everywhere)
import _cffi_backend
loot(_cffi_backend.load_library(None))
