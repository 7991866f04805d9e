"""Float arithmetic on lists: four planets and a star, moved step by step."""

import math
from itertools import combinations

YEAR = 365.24
SOLAR_MASS = 4 * math.pi**2


def star_and_planets():
    """Each body is [position, velocity, mass]; velocities are in astronomical units a year."""
    bodies = [[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], SOLAR_MASS]]
    for number, (distance, share) in enumerate([(5.2, 9.5e-4), (9.5, 2.9e-4), (19.2, 4.4e-5), (30.1, 5.2e-5)]):
        angle = 1.7 * number
        speed = math.sqrt(SOLAR_MASS / distance)
        position = [distance * math.cos(angle), distance * math.sin(angle), 0.02 * distance]
        velocity = [-speed * math.sin(angle), speed * math.cos(angle), 0.01 * speed]
        bodies.append([position, velocity, share * SOLAR_MASS])
    return bodies


def advance(pairs, bodies, step, count):
    for _ in range(count):
        for ([x1, y1, z1], v1, m1), ([x2, y2, z2], v2, m2) in pairs:
            dx, dy, dz = x1 - x2, y1 - y2, z1 - z2
            squared = dx * dx + dy * dy + dz * dz
            pull = step / (squared * math.sqrt(squared))
            towards_first, towards_second = m1 * pull, m2 * pull
            v1[0] -= dx * towards_second
            v1[1] -= dy * towards_second
            v1[2] -= dz * towards_second
            v2[0] += dx * towards_first
            v2[1] += dy * towards_first
            v2[2] += dz * towards_first
        for position, (vx, vy, vz), _mass in bodies:
            position[0] += step * vx
            position[1] += step * vy
            position[2] += step * vz


def energy(pairs, bodies):
    kinetic = sum(mass * (vx * vx + vy * vy + vz * vz) / 2 for _, (vx, vy, vz), mass in bodies)
    potential = sum(m1 * m2 / math.dist(p1, p2) for (p1, _, m1), (p2, _, m2) in pairs)
    return kinetic - potential


def simulate(count):
    bodies = star_and_planets()
    pairs = list(combinations(bodies, 2))
    before = energy(pairs, bodies)
    advance(pairs, bodies, 0.01, count)
    return round(before, 9), round(energy(pairs, bodies), 9)


simulate(20_000)
