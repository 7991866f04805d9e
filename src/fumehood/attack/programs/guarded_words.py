# The words of programs that judge themselves, for runs with the rules of the language on: those that break no rule.
import re


def judge(attack):
    """As in prelude.py."""
    try:
        obtained = attack()
    except OSError as error:
        return f"held: {error}"
    return f"ESCAPED: {obtained}" if obtained else "held: nothing was obtained"


def first_success(attempts):
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
    return sorted({found.decode() for found in CANARY.findall(data)})
