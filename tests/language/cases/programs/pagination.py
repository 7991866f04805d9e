# Pages of results from generators, with a lazy fetch and an early stop.
from itertools import chain, islice

DATABASE = [{"id": n, "name": f"user{n:02}"} for n in range(1, 24)]
requests = []


def fetch(page, size=5):
    requests.append(page)
    start = (page - 1) * size
    items = DATABASE[start : start + size]
    return {"items": items, "next": page + 1 if start + size < len(DATABASE) else None}


def pages(size=5):
    page = 1
    while page is not None:
        response = fetch(page, size)
        yield response["items"]
        page = response["next"]


def every_user(**options):
    yield from chain.from_iterable(pages(**options))


def chunks(iterable, n):
    iterator = iter(iterable)
    while chunk := list(islice(iterator, n)):
        yield chunk


print([user["name"] for user in islice(every_user(), 7)], requests)
requests.clear()
print(next(user for user in every_user(size=10) if user["id"] == 12), requests)
requests.clear()
print(sum(1 for _ in every_user()), requests)
for number, group in enumerate(chunks((u["id"] for u in every_user(size=7)), 9), start=1):
    print(f"page {number}: {group[0]}..{group[-1]} ({len(group)})")
len(requests)
