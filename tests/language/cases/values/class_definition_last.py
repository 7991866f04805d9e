# A class definition as the last statement gives None.
x = 1


class C:
    y = 2
