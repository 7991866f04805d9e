# A custom exception with its own text.
class PaymentError(Exception):
    def __init__(self, amount, currency="EUR"):
        super().__init__(amount, currency)
        self.amount = amount

    def __str__(self):
        return f"cannot pay {self.amount}"


raise PaymentError(100)
