# aim: learn who is at the other end of the wire and get a handle to that process
# mechanism: SO_PEERCRED and SO_PEERPIDFD on the wire
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, pid namespace
# plain: none (a plain process has no wire)
# expect: held
def peers():
    import socket

    for number in sockets():
        with socket.socket(fileno=os.dup(number)) as wire:
            def handle():
                # SO_PEERPIDFD: a descriptor for the process itself.
                process = struct.unpack("i", wire.getsockopt(1, 77, 4))[0]
                return first_success([
                    lambda: syscall("pidfd_send_signal", process, 0, 0, 0) or "the host could be signalled",
                    lambda: f"descriptor {syscall('pidfd_getfd', process, 0, 0)} of the host",
                    lambda: syscall("setns", process, 0x20000) or "the host's mounts",
                    lambda: f"a handle to the host, descriptor {process}",
                ])

            def credentials():
                pid, uid, gid = struct.unpack("iii", wire.getsockopt(1, 17, 12))
                return f"the host's pid {pid}" if pid > 1 else None

            yield handle
            yield credentials

judge(lambda: first_success(peers()))
