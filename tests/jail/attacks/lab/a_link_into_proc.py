# aim: have the process that reads for the host read what only it may read
# layer: files
# expect: held
# needs: mount namespace
# plain: none (nobody reads the files of a plain process)
# host: read loot, read memory, read root
os.symlink("/proc/1/environ", "/lab/loot")
os.symlink("/proc/self/maps", "/lab/memory")
os.symlink(f"/proc/self/root{secret_path}", "/lab/root")
"held: the links are there"
