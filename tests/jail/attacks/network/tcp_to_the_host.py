# aim: connect to a server on the host's loopback
# layer: seccomp, network namespace, landlock
# expect: held
# plain: succeeds
import socket

def reach():
    for address in ("127.0.0.1", "0.0.0.0", "localhost"):
        try:
            with socket.create_connection((address, tcp_port), timeout=2):
                return f"connected to {address}"
        except OSError as error:
            refusal = error
    raise refusal

judge(reach)
