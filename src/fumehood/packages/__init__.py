"""Packages for code, on the host: what may be asked for, who fetches it, what is made of it, and
where that is kept for the next time.

    requirements.py   what may be asked for
    settings.py       where the caller's pip and uv look
    installers.py     uv or pip, as a program of its own; pip_program.py is what is changed in pip
    explaining.py     one line of what they said
    contents.py       what they brought: packages, versions, modules
    building.py       a directory made of it, in which nothing is but files
    store.py          those directories, kept for the next time
    environments.py   packages asked for → a directory that is there

Nothing here knows of sandboxes. Whoever has one shows it the directory, read-only.
"""
