# aim: pass for another process of the sandbox's makers
# mechanism: prctl(PR_SET_NAME) with the names that fumehood's own processes have
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: pid namespace, init
# plain: none (there is nothing of fumehood's in a plain process)
# expect: held
# host: again, close
# hosts: root
for name in (b"fumehood-init", b"fumehood-zygote", b"fumehood-superv"):
    _libc.prctl(15, name, 0, 0, 0)
_libc.prctl(15, b"fumehood-runner", 0, 0, 0)
"held: it has another name"
