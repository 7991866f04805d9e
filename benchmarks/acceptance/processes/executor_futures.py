from concurrent.futures import ProcessPoolExecutor, as_completed
import math


def is_prime(number):
    """
    >>> is_prime(97), is_prime(91)
    (True, False)
    """
    if number < 2:
        return False
    return all(number % divisor for divisor in range(2, math.isqrt(number) + 1))


def main():
    numbers = [112272535095293, 112582705942171, 115280095190773, 1099726899285419]
    numbers = [number % 1_000_003 for number in numbers]
    with ProcessPoolExecutor(max_workers=2) as executor:
        for number, prime in zip(numbers, executor.map(is_prime, numbers)):
            print(number, prime)
        futures = [executor.submit(is_prime, n) for n in (2, 4)]
        print(sorted(future.result() for future in as_completed(futures)))


if __name__ == "__main__":
    main()
