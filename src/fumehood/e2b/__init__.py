"""E2B's sandboxes, reached by their makers' own client.

zip_app.py   what is put into one: the inside ring as one file, and the command that starts it
sdk.py       the `e2b-code-interpreter` package, and its errors as ours
commands.py  a command that runs in one, as a stream of bytes
inputs.py    its standard input
lines.py     pumps between a tunnel and such a stream
sandboxes.py a sandbox there: made, renewed while it is used, ended
"""
