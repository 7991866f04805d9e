# aim: use up the terminals of the machine
# mechanism: opening /dev/ptmx in many processes
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: mount namespace, rlimits
# plain: succeeds
# expect: held
import os
import subprocess
import time


def use_up():
    readable, writable = os.pipe()
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            try:
                for _ in range(40):
                    os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY)
                    os.write(writable, b".")
            except OSError:
                pass
            os.write(writable, b"|")
            time.sleep(5)
            os._exit(0)
        children.append(child)
    told = b""
    while told.count(b"|") < len(children):
        told += os.read(readable, 1000)
    for child in children:
        os.kill(child, 9)
        os.waitpid(child, 0)
    return told.count(b".") > 64 and f"{told.count(b'.')} terminals"

judge(use_up)
