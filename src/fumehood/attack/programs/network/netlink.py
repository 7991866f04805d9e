# aim: ask the kernel for network interfaces by netlink
# mechanism: an AF_NETLINK socket
# language: check
# reason: the policy does not authorize socket
# jail: seccomp
# plain: succeeds
# expect: held
import socket

def ask():
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0):
        return "a netlink socket"

judge(ask)
