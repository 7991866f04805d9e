# A session of several cells: definitions, data, a mistake, its repair and a report.
from dataclasses import dataclass


@dataclass
class Line:
    name: str
    price: float
    quantity: int = 1

    @property
    def total(self):
        return self.price * self.quantity


cart = []


def add(name, price, quantity=1):
    cart.append(Line(name, price, quantity))
    return len(cart)


# ---
add("tea", 3.5, 2)
add("cup", 8.0)
# ---
discounts = {"tea": 0.1}
total = sum(line.total * (1 - discounts[line.name]) for line in cart)
# ---
discounts["cup"] = 0.25
total = sum(line.total * (1 - discounts[line.name]) for line in cart)
# ---
def add(name, price, quantity=1, *, discount=0.0):
    discounts[name] = discount
    cart.append(Line(name, price, quantity))
    return cart[-1]


add("pot", 20, discount=0.5)
# ---
total += cart[-1].total * (1 - discounts["pot"])
for line in cart:
    print(f"{line.name:<5}{line.quantity:>3} x {line.price:>6.2f} -{discounts[line.name]:.0%}")
print(f"{'total':<5}{total:>13.2f}")
{line.name: line.total for line in cart}
