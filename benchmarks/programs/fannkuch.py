"""Small-list shuffling: the most prefix reversals any permutation of n needs."""


def flips_until_one_leads(deck):
    flips = 0
    first = deck[0]
    while first:
        deck[: first + 1] = deck[first::-1]
        first = deck[0]
        flips += 1
    return flips


def fannkuch(size):
    order = list(range(size))
    rotations_left = [0] * size
    most = checksum = index = 0
    level = size
    while True:
        while level > 1:
            rotations_left[level - 1] = level
            level -= 1
        if order[0]:
            flips = flips_until_one_leads(order[:])
            most = max(most, flips)
            checksum += -flips if index % 2 else flips
        index += 1
        while True:
            if level == size:
                return most, checksum
            order.insert(level, order.pop(0))
            rotations_left[level] -= 1
            if rotations_left[level] > 0:
                break
            level += 1


fannkuch(8), fannkuch(7)
