# aim: have names of variables mean something to the host
# mechanism: variables called after paths, newlines, escape sequences and nothing at all
# language: nothing (a class may say so, and a program may have such names)
# jail: wire, host
# plain: none (in a plain process nobody lists them)
# expect: held
# host: state, save, audit
# hosts: root
for name in ("", "\n", "a\nb", "../../x", "\x1b[2J", "\ud800", "__class__", "a" * 10_000, "'; drop", "\0"):
    globals()[name] = 1
"held: they have names"
