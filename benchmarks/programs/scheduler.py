"""A small operating system: tasks in a class hierarchy pass packets to each other."""

from collections import deque


class Packet:
    def __init__(self, kind, payload):
        self.kind, self.payload = kind, payload
        self.hops = 0


class Task:
    def __init__(self, name, priority):
        self.name, self.priority = name, priority
        self.inbox, self.handled = deque(), 0

    def ready(self):
        return bool(self.inbox)

    def step(self, system):
        packet = self.inbox.popleft()
        packet.hops += 1
        self.handled += 1
        self.handle(system, packet)


class Idle(Task):
    def __init__(self, name, turns):
        super().__init__(name, priority=0)
        self.turns, self.register = turns, 1

    def ready(self):
        return self.turns > 0

    def step(self, system):
        self.turns -= 1
        self.register = self.register >> 1 ^ (0xD008 if self.register & 1 else 0)
        system.send("worker", Packet("work", self.register % 26))


class Worker(Task):
    def handle(self, system, packet):
        if packet.kind == "work":
            packet.payload = (packet.payload * 7 + self.handled) % 26
            packet.kind = "device"
            system.send("disk" if packet.payload % 2 else "network", packet)
        else:
            system.finished += packet.hops


class Device(Task):
    def __init__(self, name, priority, delay):
        super().__init__(name, priority)
        self.delay = delay

    def handle(self, system, packet):
        if packet.hops < self.delay:
            self.inbox.append(packet)
        else:
            packet.kind = "done"
            system.send("worker", packet)


class System:
    def __init__(self, turns):
        tasks = [Idle("idle", turns), Worker("worker", 10), Device("disk", 20, 5), Device("network", 30, 3)]
        self.tasks = {task.name: task for task in tasks}
        self.order = sorted(tasks, key=lambda task: -task.priority)
        self.finished = 0

    def send(self, name, packet):
        self.tasks[name].inbox.append(packet)

    def run(self):
        while task := next((task for task in self.order if task.ready()), None):
            task.step(self)
        return self.finished, {name: task.handled for name, task in self.tasks.items()}


System(15_000).run()
