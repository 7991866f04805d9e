# aim: connect to a server on the host's IPv6 loopback
# layer: seccomp, network namespace, landlock
# expect: held
# plain: succeeds
import socket

def reach():
    if not tcp6_port:
        with socket.socket(socket.AF_INET6):
            return "an IPv6 socket"
    with socket.create_connection(("::1", tcp6_port), timeout=2):
        return "connected to ::1"

judge(reach)
