# aim: make a raw socket, to forge packets and to read those of others
# mechanism: SOCK_RAW and AF_PACKET sockets
# language: check
# reason: the policy does not authorize socket
# jail: seccomp, privileges
# plain: succeeds
# expect: held
import socket

def raw():
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP):
        return "a raw socket"

def packet():
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 3):
        return "a packet socket"

judge(lambda: first_success([raw, packet]))
