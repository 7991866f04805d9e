# aim: have the process that reads for the host read what only it may read
# mechanism: links in /lab to /proc/self/maps and to the root, which the host is then asked for
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: files
# plain: none (nobody reads the files of a plain process)
# expect: held
# host: read loot, read memory, read root
# needs: mount namespace
os.symlink("/proc/1/environ", "/lab/loot")
os.symlink("/proc/self/maps", "/lab/memory")
os.symlink(f"/proc/self/root{secret_path}", "/lab/root")
"held: the links are there"
