# aim: print from many threads at once, so that pieces are mixed
# mechanism: twelve threads that print, while the cell ends
# language: check
# reason: the policy does not authorize threading
# jail: wire, init
# plain: none (in a plain process what is printed goes nowhere)
# expect: held | fault output | fault timeout | fault processes
# hosts: root
import threading

def talk():
    for _ in range(3000):
        print("y" * 3000)

crew = [threading.Thread(target=talk, daemon=True) for _ in range(12)]
for each in crew:
    each.start()
"held: the host is still there"
