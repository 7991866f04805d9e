# aim: crash from a thread after the cell has ended
# mechanism: a bad pointer in a thread that sleeps first
# language: check
# reason: the policy does not authorize ctypes, threading
# jail: init
# plain: crashes
# expect: held | fault crash | fault killed
import threading

threading.Thread(target=lambda: (time.sleep(0.1), ctypes.string_at(0)), daemon=True).start()
# ---
time.sleep(0.4)
"held: it goes on"
