# aim: send the host more displays than a cell may have
# layer: wire
# expect: held | fault displays
# plain: none (a plain process has no wire)
for number in range(1000):
    display({"text/plain": "x"}) if number % 2 else display("x")
"held: nobody minded"
