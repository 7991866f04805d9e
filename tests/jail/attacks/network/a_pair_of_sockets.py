# aim: make a pair of connected sockets, which can carry descriptors between processes
# layer: seccomp
# expect: held
# plain: succeeds
import socket

def pair():
    one, other = socket.socketpair()
    with one, other:
        return "a socket pair"

judge(pair)
