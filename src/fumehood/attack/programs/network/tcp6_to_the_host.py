# aim: connect to a server on the host's IPv6 loopback
# mechanism: connect over IPv6
# language: check
# reason: the policy does not authorize socket
# jail: seccomp, network namespace, landlock
# plain: succeeds
# expect: held
import socket

def reach():
    if not tcp6_port:
        with socket.socket(socket.AF_INET6):
            return "an IPv6 socket"
    with socket.create_connection(("::1", tcp6_port), timeout=2):
        return "connected to ::1"

judge(reach)
