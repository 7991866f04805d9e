# aim: leave descriptors in flight, which the kernel limits for all sandboxes of a user together
# mechanism: SCM_RIGHTS in a pair of sockets
# language: check
# reason: the policy does not authorize socket
# jail: seccomp
# plain: succeeds
# expect: held
# programs: 100 descriptors in flight (programs pass descriptors; the count of a user is bounded by open_files, and the host has a higher limit)
import array
import socket

def leave():
    one, other = socket.socketpair()
    with one, other:
        rights = array.array("i", [one.fileno()] * 100)
        one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
        return "100 descriptors in flight"

judge(leave)
