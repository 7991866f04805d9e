# aim: have a reader see more lines than there are
# mechanism: the line separators of Unicode, and those of other machines
# language: nothing (any program may print)
# jail: host
# plain: none (a plain process has no log)
# expect: held
# host: audit
# hosts: root
for end in ("\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\r", "\x1c", "\x1d", "\x1e"):
    print(f'a{end}{{"event":"LogClosed"}}{end}b')
"held: \u2028 it is printed \x85"
