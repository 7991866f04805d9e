# A class based on typing.NamedTuple has fields, defaults and methods.
from typing import NamedTuple


class Employee(NamedTuple):
    """One employee."""

    name: str
    salary: float = 1000.0
    manager: "Employee | None" = None

    def raised(self, percent):
        return self._replace(salary=self.salary * (1 + percent / 100))


boss = Employee("Ann", 2000.0)
clerk = Employee("Bob", manager=boss)
print(clerk, clerk.raised(50).salary, Employee._fields, Employee.__doc__)
name, *rest = boss
print(name, rest, boss > clerk, clerk[2].name)
Employee._field_defaults
