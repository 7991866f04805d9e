# aim: listen on a port
# layer: seccomp, network namespace, landlock
# expect: held
# plain: succeeds
import socket

def listen():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"listening on {server.getsockname()}"

judge(listen)
