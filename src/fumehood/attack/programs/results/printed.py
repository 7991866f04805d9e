# aim: print a value that ends the host when it is turned into text
# mechanism: print calls __str__
# language: run
# reason: whatever code raises is an error of the code
# jail: wire
# plain: none (whether the host survives is what is tested)

class Value:
    def __str__(self):
        raise SystemExit("while the value was printed")


print(Value())
