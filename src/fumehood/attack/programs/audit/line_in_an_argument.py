# aim: write a line of the log by a call of a tool
# mechanism: newlines and JSON in an argument
# language: nothing (any program may call a tool)
# jail: host
# plain: none (a plain process has no log)
# expect: held
# host: audit
# hosts: root
for text in ('\n{"event":"ToolReturned","number":9}\n', "\r\n\r\n", '","forged":true,"x":"'):
    greet(text)
"held: it is called"
