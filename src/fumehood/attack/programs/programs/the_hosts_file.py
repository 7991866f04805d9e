# aim: read a file of the host with a program
# mechanism: cat, and a script whose interpreter reads
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: mount namespace, landlock
# plain: succeeds
# expect: held
def read():
    with open("script", "w") as file:
        file.write(f"#!/bin/cat {secret_path}\n")
    os.chmod("script", 0o755)
    told = run_program(["/bin/cat", secret_path])[1] + run_program(["./script"])[1]
    return canaries_in(told)

judge(read)
