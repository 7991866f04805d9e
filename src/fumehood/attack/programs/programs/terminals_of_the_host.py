# aim: write to a terminal of the host
# mechanism: /dev/tty, /dev/console, /dev/pts and inherited terminals, from a program
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: mount namespace, descriptors
# plain: succeeds
# expect: held
SCRIPT = """
import os, sys
for path in ("/dev/tty", "/dev/console", "/dev/tty0", "/dev/tty1", "/dev/ttyS0", *(f"/dev/pts/{n}" for n in range(64)), *(f"/proc/self/fd/{n}" for n in range(3, 64))):
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        continue
    if os.isatty(descriptor):
        print(path)
"""

def find():
    python = os.path.realpath(sys.executable)
    return run_program([python, "-c", SCRIPT], close_fds=False)[1].decode()

judge(find)
