# aim: have the host wait for the end of a line
# mechanism: text without a newline, flushed bit by bit
# language: nothing (any program may print; the host bounds what it takes)
# jail: wire
# plain: none (in a plain process what is printed goes nowhere)
# expect: held | fault output | fault timeout
# hosts: root
for _ in range(20_000):
    print("x" * 4096, end="", flush=True)
"held: the host is still there"
