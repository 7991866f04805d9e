"""A small tokenizer and evaluator for arithmetic."""
import operator
import re

TOKEN = re.compile(r"\s*(?:(\d+\.?\d*)|(.))")
OPERATORS = {"+": (1, operator.add), "-": (1, operator.sub), "*": (2, operator.mul), "/": (2, operator.truediv)}


def evaluate(text):
    values, pending = [], []

    def reduce(level):
        while pending and pending[-1] != "(" and OPERATORS[pending[-1]][0] >= level:
            right, left = values.pop(), values.pop()
            values.append(OPERATORS[pending.pop()][1](left, right))

    for number, symbol in TOKEN.findall(text):
        if number:
            values.append(float(number))
        elif symbol == "(":
            pending.append(symbol)
        elif symbol == ")":
            reduce(0)
            pending.pop()
        elif symbol in OPERATORS:
            reduce(OPERATORS[symbol][0])
            pending.append(symbol)
        else:
            raise SyntaxError(f"unexpected {symbol!r}")
    reduce(0)
    return values[0]


for expression in ("1 + 2 * 3", "(1 + 2) * 3", "10 / 4 - 1", "2 * (3 + 4) * 5"):
    print(expression, "=", evaluate(expression), eval(expression))
evaluate("2 ? 3")
