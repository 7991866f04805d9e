import numpy as np
from scipy.integrate import quad, solve_ivp


def predator_prey(t, state, a=1.1, b=0.4, c=0.1, d=0.4):
    prey, predators = state
    return [a * prey - b * prey * predators, c * prey * predators - d * predators]


area, error = quad(lambda x: np.exp(-x * x), -np.inf, np.inf)
print(round(area**2, 8), error < 1e-6)
solution = solve_ivp(predator_prey, (0, 20), [10, 10], t_eval=np.linspace(0, 20, 5), rtol=1e-8)
print(solution.success, solution.y.round(3).tolist())
decay = solve_ivp(lambda t, y: -0.5 * y, (0, 10), [8], dense_output=True)
print(decay.sol(2.0).round(2))
