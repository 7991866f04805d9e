# aim: have the host stumble over sockets
# mechanism: AF_UNIX sockets where the host reads, lists, watches, copies and saves
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: files, clock
# plain: none (what is attacked is the host's end)
# expect: held
# host: read loot, list, watch, snapshot, fork, save
# needs: mount namespace
import socket

def leave():
    for name in ("loot", "other", "/tmp/socket"):
        server = socket.socket(socket.AF_UNIX)
        server.bind(name)
        server.listen()
        kept.append(server)

kept = []
judge(leave)
