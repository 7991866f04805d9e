# aim: keep the host waiting for a copy
# mechanism: os.register_at_fork with a function that sleeps
# language: view
# reason: the module that code is given does not hold it
# jail: wire, init
# plain: none (a plain process has no snapshots)
# expect: held
# host: snapshot, fork
# hosts: root
# needs: mount namespace
os.register_at_fork(before=lambda: time.sleep(0.2), after_in_child=lambda: time.sleep(0.2))
"held: a hook is there"
