# aim: end the process by the interpreter's own way of giving up
# mechanism: Py_FatalError
# language: check
# reason: the policy does not authorize ctypes
# jail: init
# plain: crashes
# expect: fault crash
# hosts: root
import ctypes
ctypes.pythonapi.Py_FatalError(b"the end")
