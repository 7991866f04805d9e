# aim: keep the host reading after a command has ended
# mechanism: programs in the background that fill its pipe faster than it is read
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: clock, wire
# plain: none (what is attacked is the host's end)
# expect: held
# host: command python3 attack, command python3 attack, command echo answers
# needs: mount namespace
SCRIPT = """
import fcntl, os
try:
    fcntl.fcntl(1, 1031, 1 << 20)
except OSError:
    pass
for _ in range(6):
    if os.fork() == 0:
        os.setsid()
        piece = b"x" * 65536
        while True:
            os.write(1, piece)
os._exit(3)
"""

def leave():
    with open("attack", "w") as file:
        file.write(SCRIPT)

judge(leave)
