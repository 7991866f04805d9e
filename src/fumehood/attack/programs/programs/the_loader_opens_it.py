# aim: learn whether a file of the host is there from what the loader says of it
# mechanism: ld.so on a file that is no program
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: mount namespace, landlock
# plain: succeeds
# expect: held
import glob

def load():
    for loader in glob.glob("/lib64/ld-linux*") + glob.glob("/lib/ld-linux*"):
        code, told = run_program([loader, secret_path])
        if b"ELF" in told or b"file too short" in told:
            return f"the loader has read {secret_path}"
        code, told = run_program([loader, "--preload", secret_path, "/bin/true"])
        if b"ELF" in told or b"file too short" in told:
            return f"the loader has mapped {secret_path}"

judge(load)
