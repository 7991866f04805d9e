# aim: send the host more displays than a cell may have
# mechanism: display in a loop
# language: nothing (any program may display; the host counts them)
# jail: wire
# plain: none (a plain process has no wire)
# expect: held | fault displays
for number in range(1000):
    display({"text/plain": "x"}) if number % 2 else display("x")
"held: nobody minded"
