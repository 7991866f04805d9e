# aim: learn from the mount table where the host keeps what
# mechanism: /proc/self/mountinfo and /proc/mounts, read by a program
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: mount namespace
# plain: succeeds
# expect: held
def table():
    told = b"".join(run_program(["/bin/cat", f"/proc/self/{name}"])[1] for name in ("mountinfo", "mounts", "mountstats"))
    return canaries_in(told) or [word for word in (os.path.dirname(secret_path), outside_dir) if word.encode() in told]

judge(table)
