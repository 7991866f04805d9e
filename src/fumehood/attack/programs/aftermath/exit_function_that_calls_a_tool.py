# aim: have code run when the interpreter ends
# mechanism: atexit.register
# language: check
# reason: the policy does not authorize atexit
# jail: wire, init
# plain: none (a plain process has no tools of a host)
# expect: held
# host: close
# hosts: root
import atexit
atexit.register(add, 1, 1)
"held: nothing happened yet"
