# aim: change the programs that other sandboxes and the host execute
# mechanism: writing below /usr, /etc, /bin, /packages and to the interpreter
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: mount namespace, landlock
# plain: none (it would change the machine)
# expect: held
def change():
    done = []
    for path in ("/etc/ld.so.preload", "/etc/ld.so.cache", "/etc/passwd", "/etc/profile", "/usr/bin/env", "/bin/sh", "/usr/local/bin/attack", "/packages/attack.pth", os.path.realpath(sys.executable)):
        code, _told = run_program(["/bin/sh", "-c", 'test -w "$1" || : 2>/dev/null >>"$1"', "sh", path])
        if code == 0:
            done.append(path)
    return done

judge(change)
