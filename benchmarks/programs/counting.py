"""Dictionaries: counting, grouping, merging and looking up, with builtin and collections types."""

from collections import Counter, defaultdict


def words(count):
    seed = 42
    for _ in range(count):
        seed = (seed * 16807) % 2147483647
        yield "".join(("ba", "ke", "lo", "mi", "tu")[seed // divisor % 5] for divisor in (7, 77, 777))


def count_with_get(stream):
    counts = {}
    for word in stream:
        counts[word] = counts.get(word, 0) + 1
    return counts


def count_with_in(stream):
    counts = {}
    for word in stream:
        if word in counts:
            counts[word] += 1
        else:
            counts[word] = 1
    return counts


def group_by_letters(stream):
    groups = defaultdict(set)
    for word in stream:
        groups[tuple(sorted(word))].add(word)
    return groups


def neighbours(stream):
    following = {}
    for first, second in zip(stream, stream[1:]):
        following.setdefault(first, Counter())[second] += 1
    return {word: counter.most_common(1)[0] for word, counter in following.items()}


def census(size):
    stream = list(words(size))
    by_get, by_in, by_counter = count_with_get(stream), count_with_in(stream), Counter(stream)
    assert by_get == by_in == dict(by_counter)
    merged = by_get | {word.upper(): count for word, count in by_in.items()}
    groups = group_by_letters(stream)
    often, next_to = sorted(by_counter.values())[-3:], sorted(neighbours(stream).items())[:3]
    return len(merged), often, max(map(len, groups.values())), next_to


census(42_000)
