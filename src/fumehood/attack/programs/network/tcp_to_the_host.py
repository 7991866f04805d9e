# aim: connect to a server on the host's loopback
# mechanism: connect over IPv4
# language: check
# reason: the policy does not authorize socket
# jail: seccomp, network namespace, landlock
# plain: succeeds
# expect: held
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
