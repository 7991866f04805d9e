# aim: use what a program inherits
# mechanism: every descriptor of a program that was executed, and the directories above its directories
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: descriptors, mount namespace
# plain: succeeds
# expect: held
SCRIPT = """
import os, stat, sys
for number in range(3, 256):
    try:
        mode = os.fstat(number).st_mode
    except OSError:
        continue
    if stat.S_ISSOCK(mode) or os.isatty(number):
        print("ESCAPED", number, oct(mode))
    elif stat.S_ISREG(mode):
        print(os.pread(number, 200, 0))
    elif stat.S_ISDIR(mode):
        for above in range(8):
            try:
                print(open(f"/proc/self/fd/{number}/" + "../" * above + sys.argv[1].lstrip("/")).read())
            except OSError:
                pass
            try:
                inner = os.open("../" * above + sys.argv[1].lstrip("/"), os.O_RDONLY, dir_fd=number)
                print(os.read(inner, 200))
            except OSError:
                pass
"""

def inherit():
    # posix_spawn closes nothing.
    readable, writable = os.pipe()
    python = os.path.realpath(sys.executable)
    child = os.posix_spawn(python, [python, "-c", SCRIPT, secret_path], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, writable, 1)])
    os.close(writable)
    with open(readable, "rb") as file:
        told = file.read()
    os.waitpid(child, 0)
    return canaries_in(told) or (b"ESCAPED" in told and told.decode())

judge(inherit)
