# aim: send a datagram to the host's loopback
# layer: seccomp, network namespace
# expect: held
# plain: succeeds
import socket

def send():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        return sender.sendto(b"hello", ("127.0.0.1", udp_port))

judge(send)
