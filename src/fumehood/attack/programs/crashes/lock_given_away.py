# aim: crash the interpreter by letting go of its lock twice
# mechanism: PyEval_SaveThread by ctypes.pythonapi
# language: check
# reason: the policy does not authorize ctypes
# jail: init
# plain: crashes
# expect: fault crash | fault timeout
# hosts: root
import ctypes
ctypes.pythonapi.PyEval_SaveThread()
print("x" * 10)
