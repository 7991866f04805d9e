# aim: have the host take forged bytes for a copy's greeting
# mechanism: a thread that writes to every socket while the snapshot is taken
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire
# plain: none (a plain process has no wire)
# expect: held | fault crash | fault killed
# host: again
# hosts: root
# needs: mount namespace
import threading

def talk():
    header = b'{"type":"ready","id":1}'
    for _ in range(200):
        for number in sockets():
            try:
                os.write(number, struct.pack(">II", len(header), 0) + header)
            except OSError:
                pass
        time.sleep(0.002)

threading.Thread(target=talk, daemon=True).start()
"held: a thread talks"
