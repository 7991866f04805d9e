# aim: fill the host's memory with the line that failed
# mechanism: a line of source of a megabyte, many times in one traceback
# language: nothing (any program may have long lines; the codec bounds what crosses)
# jail: wire
# plain: none (in a plain process an error goes nowhere)
# expect: error ZeroDivisionError | error RecursionError | fault output | fault timeout | fault memory
# hosts: root
text = "def down(n):\n    " + "0;" * 200_000 + " return 1 / 0 if n == 0 else down(n - 1)\n"
exec(text)
down(25)
