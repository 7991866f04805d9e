# aim: write a line of the log by the value of a cell
# mechanism: newlines and JSON in texts, keys and names of types
# language: nothing (any program may make texts)
# jail: host
# plain: none (a plain process has no log)
# expect: held
# host: audit
# hosts: root
text = '\n{"event":"LogClosed","number":3}\n'
{text: [text, {text: text}], "event": "LogClosed", "hash": "0" * 64, "previous": text}
# ---
"held: it is given"
