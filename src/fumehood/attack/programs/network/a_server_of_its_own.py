# aim: listen on a port
# mechanism: socket, bind and listen
# language: check
# reason: the policy does not authorize socket
# jail: seccomp, network namespace, landlock
# plain: succeeds
# expect: held
import socket

def listen():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"listening on {server.getsockname()}"

judge(listen)
