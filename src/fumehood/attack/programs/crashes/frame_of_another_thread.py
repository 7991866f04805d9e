# aim: crash the interpreter by ending its main thread under it
# mechanism: pthread_exit by ctypes
# language: check
# reason: the policy does not authorize ctypes
# jail: init, clock
# plain: none (how a process without a main thread ends differs from one libc to another)
# expect: fault crash | fault timeout | fault killed
# hosts: root
import ctypes
ctypes.CDLL(None).pthread_exit(0)
