from multiprocessing import Pool


def collatz(number):
    steps = 0
    while number != 1:
        number = number * 3 + 1 if number % 2 else number // 2
        steps += 1
    return steps


if __name__ == "__main__":
    with Pool(2) as pool:
        lengths = pool.map(collatz, range(1, 200), chunksize=20)
        print(max(lengths), lengths.index(max(lengths)) + 1)
        print(pool.apply(collatz, (27,)), pool.starmap(pow, [(2, 3), (3, 2)]))
        print(sorted(pool.imap_unordered(collatz, [6, 7, 9])))
