# A trailing equals sign prints the expression as written, with its spaces.
x, items = 7, [1, 2]
print(f"{x=}")
print(f"{x = }, {x*2=}, { x  =}")
print(f"{items=!s} {x=:>5} {'q'=} {'q'=!s} {len(items)=}")
print(f"{x=!r:^6}|{x/2=:.3f}")
