# aim: add a note whose text is an object of the program's
# mechanism: __notes__ is shown by whoever shows the error
# language: run
# reason: showing an error runs no code of the program's outside its limits
# jail: process
# plain: none (plain Python shows errors only when the interpreter ends)

class Note(str):
    def __str__(self):
        raise SystemExit("while showing the error")

    splitlines = split = __str__


error = ValueError("text")
error.add_note(Note("note"))
raise error
