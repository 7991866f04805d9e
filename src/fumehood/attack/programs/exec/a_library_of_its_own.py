# aim: load machine code from a file in /home/user as a shared library
# mechanism: dlopen and an executable mapping of a file in /home/user
# language: check
# reason: the policy does not authorize mmap
# jail: lab, seccomp
# plain: succeeds
# expect: held
# programs: a file of its own is mapped as code (code may execute files that it wrote)
import mmap

def map_code():
    with open("library", "wb") as file:
        file.write(b"\xc3" * mmap.PAGESIZE)
    with open("library", "rb") as file:
        mmap.mmap(file.fileno(), mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_EXEC, flags=mmap.MAP_PRIVATE)
        return "a file of its own is mapped as code"

judge(map_code)
