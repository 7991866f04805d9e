# aim: use more space than the sandbox has
# mechanism: dd into /home/user, /tmp and /dev/shm
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: lab
# plain: succeeds
# expect: held
def fill():
    total = 0
    for directory in (os.getcwd(), "/tmp", "/dev/shm"):
        for number in range(6):
            path = f"{directory}/filled{os.getpid()}-{number}"
            run_program(["dd", "if=/dev/zero", f"of={path}", "bs=1M", "count=6"])
            total += os.stat(path).st_blocks * 512 if os.path.exists(path) else 0
    for directory in (os.getcwd(), "/tmp", "/dev/shm"):
        for number in range(6):
            try:
                os.unlink(f"{directory}/filled{os.getpid()}-{number}")
            except OSError:
                pass
    return total > 20 << 20 and f"{total >> 20} MB"

judge(fill)
