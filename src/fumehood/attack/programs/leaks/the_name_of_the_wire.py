# aim: give the wire's socket, which was made on the host, an abstract name there, or connect it elsewhere
# mechanism: bind and connect on the wire's descriptor
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, landlock
# plain: none (a plain process has no wire)
# expect: held
def names():
    for number in sockets():
        name = struct.pack("H", 1) + b"\0" + abstract_name.encode()
        taken = struct.pack("H", 1) + b"\0fumehood-attack-name"
        nowhere = struct.pack("H", 0) + bytes(14)
        yield lambda number=number: syscall("bind", number, taken, len(taken)) or "an abstract name on the host"
        yield lambda number=number: syscall("connect", number, nowhere, 16) or "the wire was disconnected"
        yield lambda number=number: syscall("connect", number, name, len(name)) or "the wire was connected elsewhere"

judge(lambda: first_success(names()))
