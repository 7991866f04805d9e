# aim: keep the host busy with messages that each hold next to nothing
# mechanism: a hundred thousand flushed writes of one letter
# language: nothing (any program may print; the host bounds what it takes)
# jail: wire
# plain: none (in a plain process what is printed goes nowhere)
# expect: held | fault output | fault timeout
# hosts: root
for _ in range(100_000):
    print("x", end="", flush=True)
"held: the host is still there"
