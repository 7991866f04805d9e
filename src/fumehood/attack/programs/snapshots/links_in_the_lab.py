# aim: have the copy of /home/user hold what a link leads to
# mechanism: links to the host's files, taken along by a snapshot
# language: view
# reason: the module that code is given does not hold it
# jail: files, mount namespace
# plain: none (a plain process has no snapshots)
# expect: held
# host: fork, snapshot, read one, list
# hosts: root
# needs: mount namespace
os.symlink(secret_path, "/home/user/one")
os.symlink("/", "/home/user/two")
os.symlink("/proc/self/environ", "/home/user/three")
"held: there are links"
