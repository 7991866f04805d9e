# aim: have the host read its own files by a link
# mechanism: links to /proc/self/fd, /proc/1/root and /labs where the host reads
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: files, mount namespace
# plain: none (what is attacked is the host's end)
# expect: held
# host: read loot, read first, read second, read third/0/home/loot, read fourth/15, list, watch, snapshot, fork, save
# needs: mount namespace
def leave():
    os.symlink("/proc/self/fd/15/../../../.." + secret_path, "loot")
    os.symlink("/proc/self/root" + secret_path, "first")
    os.symlink("/proc/1/root" + secret_path, "second")
    os.symlink("/labs", "third")
    os.symlink("/proc/self/fd", "fourth")
    os.symlink(".", "fifth")

judge(leave)
