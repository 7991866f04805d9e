# aim: have the copying of /home/user wait for ever, or fill the disk
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
        lambda: os.mkfifo("/home/user/pipe"),
        lambda: os.symlink("loop", "/home/user/loop"),
        lambda: os.ftruncate(os.open("/home/user/sparse", os.O_CREAT | os.O_WRONLY), 7 << 20),
        lambda: os.link("/home/user/sparse", "/home/user/second"),
        lambda: os.makedirs("/home/user/" + "d/" * 100),
    ):
        try:
            each()
        except OSError:
            continue

make()
"held: there are files"
