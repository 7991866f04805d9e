# aim: make a pair of connected sockets, which can carry descriptors between processes
# mechanism: socketpair
# language: check
# reason: the policy does not authorize socket
# jail: seccomp
# plain: succeeds
# expect: held
import socket

def pair():
    one, other = socket.socketpair()
    with one, other:
        return "a socket pair"

judge(pair)
