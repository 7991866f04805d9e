# aim: send a datagram to the host's loopback
# mechanism: sendto over IPv4
# language: check
# reason: the policy does not authorize socket
# jail: seccomp, network namespace
# plain: succeeds
# expect: held
import socket

def send():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        return sender.sendto(b"hello", ("127.0.0.1", udp_port))

judge(send)
