# aim: have a line of the log be longer than a reader takes
# mechanism: megabytes printed, given and raised in one cell
# language: nothing (any program may print)
# jail: host
# plain: none (a plain process has no log)
# expect: held | fault output
# host: audit
# hosts: root
print("x" * 3_000_000)
"held: " + "y" * 3_000_000
