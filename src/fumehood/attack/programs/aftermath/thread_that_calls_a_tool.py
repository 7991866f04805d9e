# aim: call a tool of the host when the cell is over
# mechanism: a daemon thread that sleeps past the end of the cell
# language: check
# reason: the policy does not authorize threading
# jail: wire
# plain: none (a plain process has no tools of a host)
# expect: held
# host: again, again
# hosts: root
import threading, time

def later():
    for number in range(20):
        time.sleep(0.02)
        add(number, 1)

threading.Thread(target=later, daemon=True).start()
"held: the thread is on its way"
