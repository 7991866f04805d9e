import threading
import time


def report():
    time.sleep(0.05)
    print("thread finished")


threading.Thread(target=report).start()
print("main finished")
