# aim: send to a socket of the host without connecting to it
# mechanism: sendto and sendmsg with an abstract address
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: network namespace, landlock
# plain: succeeds
# expect: held
import socket

def send():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as own:
        own.sendto(b"x", b"\0" + abstract_name.encode())
        own.sendmsg([b"x"], [], 0, b"\0" + abstract_name.encode())
        return "sent"

judge(send)
