# aim: connect to an abstract unix socket of the host
# mechanism: connect to a name that begins with a null byte
# language: check
# reason: the policy does not authorize socket
# jail: seccomp, network namespace, landlock
# plain: succeeds
# expect: held
import socket

def reach():
    with socket.socket(socket.AF_UNIX) as client:
        client.connect("\0" + abstract_name)
        return "connected"

judge(reach)
