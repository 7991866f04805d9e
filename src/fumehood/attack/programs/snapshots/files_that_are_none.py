# aim: have the copying of /lab wait for ever, or fill the disk
# mechanism: a pipe, a socket, a sparse file and a link to itself
# language: view
# reason: the module that code is given does not hold it
# jail: files, lab
# plain: none (a plain process has no snapshots)
# expect: held
# host: snapshot, fork, list
# needs: mount namespace
os.mkfifo("/lab/pipe")
os.symlink("loop", "/lab/loop")
descriptor = os.open("/lab/sparse", os.O_CREAT | os.O_WRONLY)
try:
    os.ftruncate(descriptor, 7 << 20)
except OSError:
    pass
os.link("/lab/sparse", "/lab/second")
os.makedirs("/lab/" + "d/" * 100)
"held: there are files"
