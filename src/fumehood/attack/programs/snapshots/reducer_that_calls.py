# aim: have saved variables run code where they are loaded
# mechanism: a __reduce__ that names a function which starts programs
# language: nothing (a class may define how it is saved)
# jail: seccomp, process
# plain: none (a plain process saves nothing)
# expect: held
# host: save
# hosts: root
import os

class Value:
    def __reduce__(self):
        return (os.system, (f"touch {scratch_path}",))

kept = Value()
"held: it is kept"
