# aim: find a second socket, one to the zygote or to another sandbox
# mechanism: fstat of every descriptor
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: descriptors
# plain: none (a plain process has no wire)
# expect: held
judge(lambda: f"sockets {sockets()}" if len(sockets()) > 1 else None)
