# aim: shut one half of the wire and go on
# mechanism: shutdown of the writing half
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire, init
# plain: none (a plain process has no wire)
# expect: fault crash | fault killed | fault timeout
# limits: cell_seconds=2
import socket

for number in sockets():
    socket.socket(fileno=os.dup(number)).shutdown(socket.SHUT_WR)
while True:
    time.sleep(1)
