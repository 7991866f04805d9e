# aim: let the search for similar names call into the program with the host's objects
# mechanism: the suggestion for a misspelt attribute calls __dir__ and __getattribute__ of the program's
# language: run
# reason: what the program's methods are given while an error is shown is its own
# jail: process
# plain: none (plain Python shows errors only when the interpreter ends)

class Nosy:
    def __dir__(self):
        loot(globals())
        raise SystemExit("while showing the error")

    def __getattribute__(self, name):
        if name == "misspelt":
            raise AttributeError("nothing", name=name, obj=self)
        return object()


Nosy().misspelt
