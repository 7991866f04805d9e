# aim: write a line of the log by printing it
# mechanism: newlines and a whole JSON event in what is printed
# language: nothing (any program may print)
# jail: host
# plain: none (a plain process has no log)
# expect: held
# host: audit
# hosts: root
print('"}\n{"event":"CellFinished","number":1,"session":"forged","hash":"' + "0" * 64 + '","fields":{"error":null}}\n{"')
"held: it is printed"
