"""E2B's sandboxes, reached by their makers' own client.

zip_app.py    what is put into one: the inside ring as one file, and the command that starts it
sdk.py        the `e2b-code-interpreter` package, and its errors as ours
sandboxes.py  a sandbox: created, renewed while it is used, ended; and a command in it as a stream
"""
