# aim: have the host wait for very many named pipes
# mechanism: 1,500 named pipes in /home/user
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: files, lab, clock
# plain: none (what is attacked is the host's end)
# expect: held
# host: list, watch, snapshot, fork
# needs: mount namespace
def leave():
    for number in range(1500):
        os.mkfifo(f"pipe{number}")

judge(leave)
