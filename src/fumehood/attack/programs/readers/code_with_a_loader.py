# aim: let the display of an error call a loader of the program's
# mechanism: linecache asks __loader__ in the globals of a frame for source text
# language: run
# reason: source lines are shown from the cell's own text
# jail: process
# plain: loot

class Loader:
    def get_source(self, name):
        loot("mutated: the host called the program while it showed an error")
        return "text"


globals()["__loader__"] = Loader()
globals()["__name__"] = "mine"
globals()["__file__"] = "<mine>"


exec(compile("def function():\n    1 / 0\n", "<mine>", "exec"))
function()
