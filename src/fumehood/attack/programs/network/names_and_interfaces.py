# aim: learn the machine's network interfaces and host name
# mechanism: /proc/net and if_nameindex
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: network namespace, uts namespace, seccomp, mount namespace
# plain: none (the world of a plain run has no more network than the jail)
# expect: held
# housed: the container's own network, which has no interface
import socket

def interfaces():
    found = []
    for path in ("/proc/net/dev", "/proc/self/net/dev", "/proc/net/unix", "/proc/net/route"):
        try:
            found += [line.split()[0] for line in read_bytes(path).decode().splitlines()[2:] if not line.strip().startswith("lo")]
        except OSError:
            continue
    try:
        found += [name for _, name in socket.if_nameindex() if name != "lo"]
    except OSError:
        pass
    return found

judge(interfaces)
