# A function without return gives None, whatever its last statement is.
def expression():
    1 + 1


def assignment():
    x = 5


def conditional(flag):
    if flag:
        return "yes"


def bare():
    return


def looping():
    for n in range(3):
        n * 2


class Thing:
    def method(self):
        self.value = 1


print(expression(), assignment(), conditional(True), conditional(False), bare(), looping(), Thing().method())
result = expression()
# ---
expression()
