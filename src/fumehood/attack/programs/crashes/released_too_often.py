# aim: crash the interpreter with an object that is freed while it is used
# mechanism: ctypes.pythonapi.Py_DecRef, again and again
# language: check
# reason: the policy does not authorize ctypes
# jail: init
# plain: crashes
# expect: fault crash | error SystemError | error TypeError
# hosts: root
import ctypes
held = [object() for _ in range(1000)]
for thing in held:
    for _ in range(50):
        ctypes.pythonapi.Py_DecRef(ctypes.py_object(thing))
del thing
held.clear()
str([str(n) for n in range(100_000)])[:1] and ctypes.string_at(0)
