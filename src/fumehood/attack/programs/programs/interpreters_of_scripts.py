# aim: reach the host's root by the interpreter of a script
# mechanism: #! with paths of /proc, and interpreters that are scripts
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: mount namespace, pid namespace
# plain: succeeds
# expect: held
def nested():
    told = b""
    for number, interpreter in enumerate(("/proc/1/root/bin/cat", "/proc/self/root/../../bin/cat", "/proc/self/fd/15/../../../bin/cat", "/home/user/script0")):
        with open(f"script{number}", "w") as file:
            file.write(f"#!{interpreter} {secret_path}\n")
        os.chmod(f"script{number}", 0o755)
        try:
            told += run_program([f"./script{number}"])[1]
        except OSError as error:
            refusal = error
    return canaries_in(told)

judge(nested)
