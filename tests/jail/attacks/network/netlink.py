# aim: ask the kernel for network interfaces by netlink
# layer: seccomp
# expect: held
# plain: succeeds
import socket

def ask():
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0):
        return "a netlink socket"

judge(ask)
