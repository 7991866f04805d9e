# A TypedDict makes plain dictionaries and can inherit.
from typing import TypedDict


class Movie(TypedDict, total=False):
    title: str
    year: int


class Sequel(Movie):
    part: int


movie: Movie = {"title": "Brazil", "year": 1985}
sequel = Sequel(title="Alien", year=1986, part=2)
print(movie, type(sequel).__name__, sequel == {"title": "Alien", "year": 1986, "part": 2})
Other = TypedDict("Other", {"in": int})
print(Other(**{"in": 3}))
try:
    isinstance(movie, Movie)
except TypeError as error:
    print(error)
sequel
