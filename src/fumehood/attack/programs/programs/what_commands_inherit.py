# aim: find something of the host among the descriptors of its commands
# mechanism: every descriptor, and the environment, of a command of the host
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: descriptors, environment
# plain: none (what is attacked is the host's end)
# expect: held
# host: command python3 attack
# needs: mount namespace
SCRIPT = r"""
import os, stat
for number in range(256):
    try:
        status = os.fstat(number)
    except OSError:
        continue
    if number == 15 or stat.S_ISFIFO(status.st_mode) and number < 3:
        continue
    name = os.readlink(f"/proc/self/fd/{number}")
    if number == 0 and name == "/dev/null":
        continue
    if not name.startswith(("/home/user", "/labs/0/home/attack")):
        print("ESCAPED: descriptor", number, name)
print([f"ESCAPED: {name}" for name, value in os.environ.items() if "CANARY" in name + value])
"""

def leave():
    with open("attack", "w") as file:
        file.write(SCRIPT)

judge(leave)
