# aim: have the host wait for a named pipe
# mechanism: named pipes where the host reads, lists, watches, copies and saves
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: files, clock
# plain: none (what is attacked is the host's end)
# expect: held
# host: read loot, list, watch, snapshot, fork, save, command cat loot, command echo answers
# needs: mount namespace
def leave():
    os.mkfifo("loot")
    os.makedirs("below/pipes")
    os.mkfifo("below/pipes/one")
    os.mkfifo("/tmp/pipe")
    os.mkfifo(".bashrc")
    os.mkfifo(".profile")

judge(leave)
