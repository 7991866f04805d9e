# aim: have code run in a copy before it is the sandbox's
# mechanism: os.register_at_fork with a function that ends the child
# language: view
# reason: the module that code is given does not hold it
# jail: wire, init
# plain: none (a plain process has no snapshots)
# expect: held
# host: fork, again
# hosts: root
# needs: mount namespace
os.register_at_fork(after_in_child=lambda: os._exit(0))
"held: a hook is there"
