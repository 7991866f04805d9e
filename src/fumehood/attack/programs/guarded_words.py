# The words of programs that judge themselves: these break no rule of the language. What comes before a program is made by words.py.
import re


def judge(attack):
    """The verdict on an attack, a function that returns what it obtained. An OSError is a refusal; any other error is a mistake of the program."""
    try:
        obtained = attack()
    except OSError as error:
        return f"held: {error}"
    return f"ESCAPED: {obtained}" if obtained else "held: nothing was obtained"


def first_success(attempts):
    """The first thing that one of the attempts obtains; the error of the last if all are refused."""
    refusal = None
    for attempt in attempts:
        try:
            obtained = attempt()
        except OSError as error:
            refusal = error
        else:
            if obtained:
                return obtained
    if refusal is not None:
        raise refusal
    return None


CANARY = re.compile(rb"CANARY-[a-z]+-[0-9a-f]{32}")


def canaries_in(data):
    """The canaries in some bytes. Their random half is known to the host alone, so what is found was really there."""
    return sorted({found.decode() for found in CANARY.findall(data)})
