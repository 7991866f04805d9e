# aim: get the writable dictionary of a builtin type out of its proxy by comparing
# mechanism: a mapping proxy hands its dictionary to the __eq__ of the other operand
# language: builtins
# reason: a class dictionary that can be written changes the class for everybody
# jail: process
# plain: loot

class Thief:
    def __eq__(self, namespace):
        namespace["escaped"] = True
        return True


vars(str) == Thief()
# --- second executor
if hasattr("", "escaped"):
    loot("mutated: str")
