# A cached_property is computed once per object and can be deleted again.
from functools import cached_property


class Report:
    def __init__(self, rows):
        self.rows = rows

    @cached_property
    def total(self):
        print("adding")
        return sum(self.rows)


report = Report([1, 2, 3])
print(report.total, report.total)
report.rows.append(4)
print(report.total)
del report.total
report.total
