# aim: have the process that reads for the host read what only it may read
# mechanism: links in /home/user to /proc/self/maps and to the root, which the host is then asked for
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: files
# plain: none (nobody reads the files of a plain process)
# expect: held
# host: read loot, read memory, read root
# needs: mount namespace
os.symlink("/proc/1/environ", "/home/user/loot")
os.symlink("/proc/self/maps", "/home/user/memory")
os.symlink(f"/proc/self/root{secret_path}", "/home/user/root")
"held: the links are there"
