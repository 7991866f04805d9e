# aim: connect to a unix socket in the host's file system
# mechanism: connect to a path
# language: check
# reason: the policy does not authorize socket
# jail: seccomp, mount namespace
# plain: succeeds
# expect: held
import socket

def reach():
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(unix_path)
        return "connected"

judge(reach)
