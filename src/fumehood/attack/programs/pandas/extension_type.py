# aim: register a type for every table of the host
# mechanism: pandas.api.extensions.register_extension_dtype
# language: run
# reason: library state is shared by every session and by the host
# jail: process
# plain: loot
# imports: pandas
# limit: library state is shared with this process

import pandas


@pandas.api.extensions.register_extension_dtype
class Escaped(pandas.api.extensions.ExtensionDtype):
    name = "escaped"
    type = object

    @classmethod
    def construct_from_string(cls, text):
        if text == "escaped":
            return cls()
        raise TypeError(text)


# --- second executor
import pandas

try:
    if pandas.api.types.pandas_dtype("escaped").name == "escaped":
        loot("mutated: the types of pandas")
except TypeError:
    pass
