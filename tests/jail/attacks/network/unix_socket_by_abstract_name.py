# aim: connect to an abstract unix socket of the host
# layer: seccomp, network namespace, landlock
# expect: held
# plain: succeeds
import socket

def reach():
    with socket.socket(socket.AF_UNIX) as client:
        client.connect("\0" + abstract_name)
        return "connected"

judge(reach)
