# aim: fill the log with warnings
# mechanism: warnings.warn with a text of its own each time
# language: nothing (any program may warn; the host bounds what it takes)
# jail: wire
# plain: none (in a plain process what is printed goes nowhere)
# expect: held | fault output | fault timeout
# hosts: root
import warnings
for number in range(20_000):
    warnings.warn(f"{number} " + "w" * 2000)
"held: the host is still there"
