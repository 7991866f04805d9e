# aim: shut one half of the wire and go on
# layer: wire, keeper
# expect: fault crash | fault killed | fault timeout
# plain: none (a plain process has no wire)
# limits: cell_seconds=2
import socket

for number in sockets():
    socket.socket(fileno=os.dup(number)).shutdown(socket.SHUT_WR)
while True:
    time.sleep(1)
