# aim: open a file with another reader class that is exported for type hints
# mechanism: pandas.api.typing.JsonReader is what read_json gives for chunks
# language: view
# reason: a path is a file of the host
# jail: mount namespace, landlock
# plain: loot
# imports: pandas

import pandas

found = pandas.api.typing.JsonReader(
    secret_path,
    orient=None,
    typ="frame",
    dtype=None,
    convert_axes=None,
    convert_dates=True,
    keep_default_dates=True,
    precise_float=False,
    date_unit=None,
    encoding=None,
    lines=True,
    chunksize=1,
    compression=None,
    nrows=None,
)
loot(found.data.read() if hasattr(found.data, "read") else found.data)
