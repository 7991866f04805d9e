import time
from concurrent.futures import ThreadPoolExecutor, as_completed


def fetch(number):
    time.sleep(0.01 * (3 - number % 3))
    if number == 4:
        raise ValueError(f"page {number} is missing")
    return number, f"<page {number}>"


with ThreadPoolExecutor(max_workers=4) as pool:
    print(list(pool.map(lambda n: n**2, range(8))))
    futures = {pool.submit(fetch, number): number for number in range(6)}
    pages, failed = {}, []
    for future in as_completed(futures):
        try:
            number, text = future.result()
            pages[number] = text
        except ValueError as error:
            failed.append((futures[future], str(error)))
print(sorted(pages.items()), failed)
