# aim: fill the host's memory with printed text
# mechanism: print in a loop
# language: nothing (any program may print; the host bounds what it takes)
# jail: wire
# plain: none (in a plain process what is printed goes nowhere)
# expect: held | fault output
line = "x" * (1 << 16)
for _ in range(6000):  # 400 MB
    print(line)
"held: the host is still there"
