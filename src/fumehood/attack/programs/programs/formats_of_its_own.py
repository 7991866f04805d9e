# aim: have the kernel start an interpreter of its own for every program
# mechanism: binfmt_misc
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: mount namespace, seccomp
# plain: none (it would change the machine)
# expect: held
def register():
    for directory in ("/proc/sys/fs/binfmt_misc", "binfmt"):
        os.makedirs("binfmt", exist_ok=True)
        code, told = run_program(["/bin/sh", "-c", 'test -e "$1/register" || mount -t binfmt_misc none "$1"; test -e "$1/register"', "sh", directory])
        if code == 0:
            return f"{directory} can be seen"

judge(register)
