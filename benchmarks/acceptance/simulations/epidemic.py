from dataclasses import dataclass


@dataclass
class State:
    susceptible: float
    infected: float
    recovered: float

    def step(self, contact, recovery, dt):
        new = contact * self.susceptible * self.infected / self.total * dt
        healed = recovery * self.infected * dt
        return State(self.susceptible - new, self.infected + new - healed, self.recovered + healed)

    @property
    def total(self):
        return self.susceptible + self.infected + self.recovered


state = State(990, 10, 0)
history = [state]
for day in range(100):
    for _ in range(10):
        state = state.step(0.4, 0.1, 0.1)
    history.append(state)
peak = max(range(len(history)), key=lambda day: history[day].infected)
print(f"peak on day {peak} with {history[peak].infected:.1f} infected")
print(f"{state.recovered:.1f} recovered, total {state.total:.6f}")
for day in range(0, 101, 20):
    print(f"{day:>3} {'#' * int(history[day].infected / 20)}")
