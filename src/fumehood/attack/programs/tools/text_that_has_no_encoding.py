# aim: have the host fail at writing an argument down
# mechanism: lone surrogates, null bytes and escape sequences in a text
# language: nothing (any program may call a tool)
# jail: wire
# plain: none (a plain process has no tools of a host)
# expect: held
# host: audit
# hosts: root
for text in ("\ud800", "a\0b", "\x1b]0;title\x07", "\u202e", "\uffff" * 1000):
    try:
        greet(text)
    except Exception as error:
        continue
"held: the host is still there"
