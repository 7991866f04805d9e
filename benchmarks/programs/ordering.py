"""Sorting with keys, and a bank simulated with a heap of events and a queue of customers."""

import bisect
import heapq
from collections import deque
from functools import cmp_to_key
from operator import attrgetter, itemgetter


class Customer:
    def __init__(self, number, arrival, patience):
        self.number = number
        self.arrival = arrival
        self.patience = patience
        self.served = None

    def __lt__(self, other):
        return (self.patience, self.number) < (other.patience, other.number)


def customers(count):
    seed, arrival = 2024, 0
    for number in range(count):
        seed = (seed * 48271) % 2147483647
        arrival += seed % 9
        yield Customer(number, arrival, seed // 64 % 400)


def simulate(people, clerks):
    """Events are (time, order, kind, customer); clerks serve whoever has waited longest."""
    events = [(person.arrival, person.number, "arrive", person) for person in people]
    heapq.heapify(events)
    waiting, free, order, left = deque(), clerks, len(people), 0
    while events:
        now, _, kind, person = heapq.heappop(events)
        if kind == "arrive":
            waiting.append(person)
        else:
            free += 1
        while free and waiting:
            person = waiting.popleft()
            if now - person.arrival > person.patience:
                left += 1
                continue
            person.served = now
            free -= 1
            order += 1
            heapq.heappush(events, (now + 5 + person.number % 11, order, "leave", person))
    return left


def rank(people):
    served = [person for person in people if person.served is not None]
    waits = [(person.served - person.arrival, -person.patience, person.number) for person in served]
    by_wait = sorted(waits, key=lambda wait: (-wait[0], wait[2]))
    by_patience = sorted(people)
    by_field = sorted(people, key=attrgetter("patience", "number"), reverse=True)
    by_item = sorted(waits, key=itemgetter(1))
    by_comparison = sorted(people[::4], key=cmp_to_key(lambda a, b: a.patience - b.patience))
    ladder = []
    for wait in waits[::2]:
        bisect.insort(ladder, wait, key=lambda entry: entry[0] % 50)
    tops = [by_patience[0], by_field[0], by_comparison[-1]]
    return by_wait[:2], by_item[0], [person.number for person in tops], ladder[len(ladder) // 2]


def open_bank(count):
    people = list(customers(count))
    return simulate(people, clerks=2), rank(people)


open_bank(16_000)
