# aim: have the log fail at a text, so that nothing after it is written
# mechanism: lone surrogates, null bytes and characters that are none
# language: nothing (any program may print)
# jail: host
# plain: none (a plain process has no log)
# expect: held
# host: audit
# hosts: root
print("\ud800\udfff\0\x1b[2J\ufffe\U0010ffff")
greet("\udc80\0")
"held: \udcff"
