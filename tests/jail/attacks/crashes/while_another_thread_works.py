# aim: crash from a thread after the cell has ended
# layer: keeper
# expect: held | fault crash | fault killed
# plain: crashes
import threading

threading.Thread(target=lambda: (time.sleep(0.1), ctypes.string_at(0))).start()
# ---
time.sleep(0.4)
"held: it goes on"
