# aim: write a line of the log by the source of a cell
# mechanism: carriage returns and form feeds in comments
# language: nothing (any program may have comments)
# jail: host
# plain: none (a plain process has no log)
# expect: held
# host: audit
# hosts: root
x = 1  # {"event":"CellFinished"}  
y = "\x85 \x0b \x0c {\"event\":\"SessionClosed\"}"
"held: it is run"
