import doctest


def double(number):
    """
    >>> double(2)
    4
    >>> double("a")
    'aaa'
    """
    return number * 2


if __name__ == "__main__":
    results = doctest.testmod(verbose=False)
    print(results.failed, results.attempted)
