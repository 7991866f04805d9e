# A yield at the top level.
x = yield 1
