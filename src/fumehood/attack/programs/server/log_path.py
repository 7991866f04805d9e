# aim: write a line of the access log
# mechanism: line ends in an address, encoded and not
# server: log
# plain: naive
# host: log

def attack():
    forged = '"}\n{"time":"forged","request":"forged"}\r\n\u2028\x1b[2J'
    request("GET", "/" + quote(forged))
    request("GET", f"/v1/sandboxes/{quote(forged)}", key=mine.key)
    ask("GET", f"{here}/files/content?path={quote(forged)}")


judge(attack)
