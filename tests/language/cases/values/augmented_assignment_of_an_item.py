# The value of an augmented assignment to an item is the item afterwards.
stock = {"pen": 3}
stock["pen"] *= 4
