# aim: fill the host's memory with printed text
# layer: wire
# expect: held | fault output
# plain: none (in a plain process what is printed goes nowhere)
line = "x" * (1 << 16)
for _ in range(6000):  # 400 MB
    print(line)
"held: the host is still there"
