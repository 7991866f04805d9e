# aim: crash the interpreter with an object at an address that has none
# mechanism: _ctypes.PyObj_FromPtr
# language: check
# reason: the policy does not authorize _ctypes
# jail: init
# plain: crashes
# expect: fault crash
# hosts: root
import _ctypes
repr(_ctypes.PyObj_FromPtr(4096))
