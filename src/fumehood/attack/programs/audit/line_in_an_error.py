# aim: write a line of the log by an error
# mechanism: newlines and JSON in the message and in the name of an exception
# language: nothing (any program may raise)
# jail: host
# plain: none (a plain process has no log)
# expect: held
# host: audit
# hosts: root
try:
    raise type('E\n{"event":"LogClosed"}\n', (Exception,), {})('\n{"event":"LogClosed"}\n')
except ZeroDivisionError:
    pass
# ---
"held: it was raised"
