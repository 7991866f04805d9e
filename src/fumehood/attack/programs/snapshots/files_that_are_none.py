# aim: have the copying of /lab wait for ever, or fill the disk
# mechanism: a pipe, a socket, a sparse file and a link to itself
# language: view
# reason: the module that code is given does not hold it
# jail: files, lab
# plain: none (a plain process has no snapshots)
# expect: held
# host: snapshot, fork, list
# hosts: root
# needs: mount namespace
def make():
    for each in (
        lambda: os.mkfifo("/lab/pipe"),
        lambda: os.symlink("loop", "/lab/loop"),
        lambda: os.ftruncate(os.open("/lab/sparse", os.O_CREAT | os.O_WRONLY), 7 << 20),
        lambda: os.link("/lab/sparse", "/lab/second"),
        lambda: os.makedirs("/lab/" + "d/" * 100),
    ):
        try:
            each()
        except OSError:
            continue

make()
"held: there are files"
