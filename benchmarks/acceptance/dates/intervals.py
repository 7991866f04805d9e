from dataclasses import dataclass
from datetime import time, datetime, timedelta


@dataclass(frozen=True, order=True)
class Slot:
    start: datetime
    end: datetime

    def overlaps(self, other):
        return self.start < other.end and other.start < self.end


def free_slots(day, busy, length=timedelta(minutes=30)):
    current = datetime.combine(day, time(9))
    closing = datetime.combine(day, time(12))
    for slot in sorted(busy):
        if slot.start - current >= length:
            yield Slot(current, slot.start)
        current = max(current, slot.end)
    if closing - current >= length:
        yield Slot(current, closing)


day = datetime(2024, 5, 6).date()
at = lambda hour, minute=0: datetime.combine(day, time(hour, minute))
busy = [Slot(at(10, 30), at(11)), Slot(at(9), at(9, 45)), Slot(at(10), at(10, 15))]
for slot in free_slots(day, busy):
    print(f"{slot.start:%H:%M}-{slot.end:%H:%M}")
print(busy[0].overlaps(busy[2]), Slot(at(10), at(11)).overlaps(busy[0]))
print(busy[0])
