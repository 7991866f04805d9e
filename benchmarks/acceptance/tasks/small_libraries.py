# needs: faker
import faker, random, string, itertools, functools, heapq, bisect, textwrap, pprint, difflib, operator, math, cmath, decimal, fractions, array, struct, ast, types, inspect, collections
f = faker.Faker(); faker.Faker.seed(1); f2 = faker.Faker(); f2.seed_instance(3); print(f2.name() == f2.name(), isinstance(f.email(), str))
from prettytable import PrettyTable; t = PrettyTable(["a"]); t.add_row([1]); print(t)
from tabulate import tabulate; print(tabulate([[1, 2]], headers=["x", "y"]))
import xmltodict, yaml, chardet, natsort, regex, sympy, networkx as nx
print(xmltodict.parse("<a><b>1</b></a>"), yaml.safe_load("a: [1]"), chardet.detect("é".encode())["encoding"], natsort.natsorted(["a10", "a2"]), sympy.integrate(sympy.Symbol("x")), nx.shortest_path(nx.path_graph(4), 0, 3))
