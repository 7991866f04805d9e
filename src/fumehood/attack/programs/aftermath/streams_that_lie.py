# aim: have what the runner prints and shows go through code of the cell
# mechanism: sys.stdout, sys.displayhook and sys.excepthook replaced
# language: nothing (a view of sys is the code's own, and may be changed)
# jail: wire
# plain: none (in a plain process there is no next cell)
# expect: held
# host: again, state
# hosts: root
import sys

class Liar:
    def __getattr__(self, name):
        return lambda *a, **k: (_ for _ in ()).throw(RuntimeError("a lie"))

sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = Liar()
sys.displayhook = sys.excepthook = sys.unraisablehook = Liar()
"held: the streams are replaced"
