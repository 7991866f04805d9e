# aim: talk to a server of the host by a socket of its own
# mechanism: connect of AF_UNIX sockets, by path and by abstract name, from a program
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: network namespace, mount namespace, landlock
# plain: succeeds
# expect: held
SCRIPT = """
import socket, sys
for kind, address in ((1, sys.argv[1]), (1, chr(0) + sys.argv[2]), (2, chr(0) + sys.argv[2]), (5, sys.argv[1])):
    try:
        with socket.socket(socket.AF_UNIX, kind) as other:
            other.connect(address)
            other.send(b"x")
            print("reached", kind, address.replace(chr(0), "@"))
    except OSError:
        pass
"""

judge(lambda: run_program([os.path.realpath(sys.executable), "-c", SCRIPT, unix_path, abstract_name])[1].decode())
