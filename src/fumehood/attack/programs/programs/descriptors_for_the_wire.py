# aim: fill the table of the host with descriptors that a program sends
# mechanism: SCM_RIGHTS over the wire
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: wire, seccomp
# plain: none (a plain process has no wire)
# expect: held | fault crash | fault killed | fault frame | error WorkerProtocolError
import array
import socket

def send():
    for number in sockets():
        with socket.socket(fileno=os.dup(number)) as wire:
            rights = array.array("i", [1] * 200)
            for _ in range(20):
                header = b'{"type":"display","bundle":{"text/plain":"x"}}'
                frame = struct.pack(">II", len(header), 0) + header
                wire.sendmsg([frame], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)], socket.MSG_DONTWAIT)
    return None

judge(send)
