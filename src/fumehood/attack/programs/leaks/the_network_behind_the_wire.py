# aim: ask the wire's socket, which was made on the host, for the host's network
# mechanism: ioctl and setsockopt on the wire's descriptor
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: none (a plain process has no wire)
# expect: held
import fcntl

def interfaces(number):
    room = ctypes.create_string_buffer(4096)
    fcntl.ioctl(number, 0x8912, bytearray(struct.pack("iiQ", 4096, 0, ctypes.addressof(room))))  # SIOCGIFCONF
    return f"interfaces {room.raw[:40]!r}"

def ask():
    for number in sockets():
        yield lambda number=number: interfaces(number)
        yield lambda number=number: f"the host's network namespace, descriptor {fcntl.ioctl(number, 0x894C)}"  # SIOCGSKNS
        yield lambda number=number: f"an interface {fcntl.ioctl(number, 0x8933, bytearray(struct.pack('16s24x', b'lo')))}"  # SIOCGIFINDEX

judge(lambda: first_success(ask()))
