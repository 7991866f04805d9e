# aim: hand the host descriptors until it has no more
# mechanism: SCM_RIGHTS on the wire
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, wire
# plain: none (a plain process has no wire)
# expect: held | fault crash | fault killed | fault timeout
# limits: cell_seconds=1
import array
import socket

null = os.open("/dev/null", os.O_RDONLY)
for number in sockets():
    with socket.socket(fileno=os.dup(number)) as wire:
        for _ in range(20):
            try:
                wire.sendmsg([b"\0"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [null] * 100))])
            except OSError:
                break
time.sleep(0.3)
"held: nobody minded"
