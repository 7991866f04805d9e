# aim: connect to a unix socket in the host's file system
# layer: seccomp, mount namespace
# expect: held
# plain: succeeds
import socket

def reach():
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(unix_path)
        return "connected"

judge(reach)
