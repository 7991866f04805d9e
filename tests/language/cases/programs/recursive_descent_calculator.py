# A calculator that parses expressions by recursive descent.
import re


class ParseError(Exception):
    pass


class Calculator:
    TOKEN = re.compile(r"\s*(?:(\d+\.?\d*)|(.))")

    def evaluate(self, text):
        self.tokens = [(number, sign) for number, sign in self.TOKEN.findall(text) if number or sign.strip()]
        self.position = 0
        value = self.sum()
        if self.position < len(self.tokens):
            raise ParseError(f"unexpected {self.tokens[self.position][1]!r}")
        return value

    def peek(self):
        return self.tokens[self.position][1] if self.position < len(self.tokens) else None

    def take(self):
        token = self.tokens[self.position]
        self.position += 1
        return token

    def sum(self):
        value = self.product()
        while self.peek() in ("+", "-"):
            value = value + self.product() if self.take()[1] == "+" else value - self.product()
        return value

    def product(self):
        value = self.power()
        while self.peek() in ("*", "/"):
            _, sign = self.take()
            right = self.power()
            value = value * right if sign == "*" else value / right
        return value

    def power(self):
        base = self.atom()
        if self.peek() == "^":
            self.take()
            return base ** self.power()
        return base

    def atom(self):
        if self.position >= len(self.tokens):
            raise ParseError("unexpected end")
        number, sign = self.take()
        if number:
            return float(number)
        if sign == "-":
            return -self.atom()
        if sign == "(":
            value = self.sum()
            if self.peek() != ")":
                raise ParseError("missing )")
            self.take()
            return value
        raise ParseError(f"unexpected {sign!r}")


calculator = Calculator()
for expression in ("1 + 2 * 3", "(1 + 2) * 3", "2 ^ 3 ^ 2", "-4 / (2 - 2.5)", "1 +", "(1", "2 $ 3", "1 / 0"):
    try:
        print(expression, "=", calculator.evaluate(expression))
    except (ParseError, ZeroDivisionError) as error:
        print(expression, "->", type(error).__name__, error)
calculator.evaluate("10 - 4 - 3")
