# aim: learn the users and passwords of the host with a program
# mechanism: cat of /etc/shadow, /etc/gshadow, /etc/sudoers and keys
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: mount namespace
# plain: succeeds
# expect: held
def users():
    paths = ["/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/ssh/ssh_host_rsa_key", "/root/.ssh/authorized_keys", "/root/.bashrc", "/etc/machine-id", "/etc/resolv.conf", "/etc/fstab"]
    found = []
    for path in paths:
        code, told = run_program(["/bin/cat", path])
        if code == 0 and told:
            found.append(path)  # not what is in it
    code, told = run_program(["/bin/cat", "/etc/passwd"])
    return found or (told.count(b"\n") > 2 and "more users than its own")

judge(users)
