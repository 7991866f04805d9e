# aim: flood the stream that nobody thinks of
# mechanism: sys.stderr.write in a loop
# language: nothing (any program may print; the host bounds what it takes)
# jail: wire
# plain: none (in a plain process what is printed goes nowhere)
# expect: held | fault output | fault timeout
# hosts: root
import sys
for _ in range(3000):
    sys.stderr.write("e" * 65536)
"held: the host is still there"
