"""Commands that tell about names, the time, the user and the system, as a sandbox has them."""

from __future__ import annotations

import datetime
import os
import re
import time

from fumehood.worker.shell.calls import Call, Options, Usage

USER = "lab"
_MOST_SECONDS = 1e9


def basename(call: Call) -> None:
    options = Options(call.arguments, "az", "s", {"multiple": "a", "suffix": "s"})
    names = options.operands
    if not names:
        raise Usage("a path is missing")
    suffix = options.get("s")
    if not suffix and "a" not in options:
        if len(names) > 2:
            raise Usage("more than a path and an ending; -a takes several paths")
        suffix, names = names[1] if len(names) == 2 else "", names[:1]
    for name in names:
        base = os.path.basename(name.rstrip("/")) or ("/" if name.startswith("/") else "")
        call.out.line(base.removesuffix(suffix) if suffix and base != suffix else base)


def dirname(call: Call) -> None:
    names = Options(call.arguments, "z").operands
    if not names:
        raise Usage("a path is missing")
    for name in names:
        head = os.path.dirname(name.rstrip("/") or name)
        call.out.line(re.sub(r"(?<=.)/+$", "", head) or ("/" if name.startswith("/") else "."))


def date(call: Call) -> None:
    options = Options(
        call.arguments,
        "uR",
        "drI",
        {"utc": "u", "date": "d", "reference": "r", "rfc-email": "R", "iso-8601": "I"},
        mixed=True,
    )
    form = next((word[1:] for word in options.operands if word.startswith("+")), None)
    if len(options.operands) > (form is not None):
        raise Usage("the clock cannot be set here")
    zone = datetime.UTC if "u" in options else None
    if "r" in options:
        moment = datetime.datetime.fromtimestamp(call.places.stat(options.get("r")).st_mtime, zone)
    else:
        moment = datetime.datetime.fromtimestamp(moment_of(options.get("d", "now"), zone), zone)
    moment = moment.astimezone(zone)
    if "I" in options:
        form = {"seconds": "%Y-%m-%dT%H:%M:%S%:z", "date": "%Y-%m-%d"}.get(options.get("I"))
        if form is None:
            raise Usage("-I knows date and seconds")
    call.out.line(
        _told(
            moment,
            "%a, %d %b %Y %H:%M:%S %z" if "R" in options else form or "%a %b %e %H:%M:%S %Z %Y",
        )
    )


def moment_of(text: str, zone: datetime.tzinfo | None) -> float:
    now = time.time()
    days = {"now": 0, "today": 0, "yesterday": -1, "tomorrow": 1}
    if text.strip().lower() in days:
        return now + 86400 * days[text.strip().lower()]
    if text.startswith("@"):
        try:
            return float(text[1:])
        except ValueError:
            raise Usage(f"{text!r} is no number of seconds") from None
    try:
        found = datetime.datetime.fromisoformat(text.strip())
    except ValueError:
        raise Usage(
            f"{text!r} is no date that is known here: write 2030-01-31 or 2030-01-31T12:00:00, or @"
            " and seconds"
        ) from None
    return (found if found.tzinfo is not None else found.replace(tzinfo=zone)).timestamp()


def _told(moment: datetime.datetime, form: str) -> str:
    offset = moment.strftime("%z")
    own = {
        "N": f"{moment.microsecond * 1000:09}",
        "s": str(int(moment.timestamp())),
        ":z": f"{offset[:3]}:{offset[3:5]}",
        "n": "\n",
        "t": "\t",
    }
    pieces = re.split(r"(%-?(?::z|.))", form, flags=re.DOTALL)
    told: list[str] = []
    for piece in pieces:
        letter = piece[1:] if piece.startswith("%") else ""
        if letter == "%":
            told.append("%")
        elif letter in own:
            told.append(own[letter])
        elif letter.startswith("-") and len(letter) == 2:
            told.append(moment.strftime("%" + letter[1]).lstrip("0 ") or "0")
        elif letter:
            told.append(moment.strftime(piece))
        else:
            told.append(piece)
    return "".join(told)


def sleep(call: Call) -> None:
    units = {"s": 1, "m": 60, "h": 3600, "d": 86400, "": 1}
    seconds = 0.0
    if not call.arguments:
        raise Usage("how long is missing")
    for word in call.arguments:
        match = re.fullmatch(r"([0-9]*\.?[0-9]+|[0-9]+\.|infinity)([smhd]?)", word)
        if match is None:
            raise Usage(f"{word!r} is no time: write 0.5, 3s, 2m, 1h or 1d")
        seconds += float(match[1]) * units[match[2]]
    call.out.flush()
    time.sleep(min(seconds, _MOST_SECONDS))


def whoami(call: Call) -> None:
    call.out.line(USER)


def id_(call: Call) -> None:
    options = Options(call.arguments, "ugn")
    uid, gid = os.geteuid(), os.getegid()
    if "u" in options or "g" in options:
        call.out.line(USER if "n" in options else str(uid if "u" in options else gid))
    else:
        call.out.line(f"uid={uid}({USER}) gid={gid}({USER}) groups={gid}({USER})")


def uname(call: Call) -> None:
    options = Options(call.arguments, "asnrvmpo", "", {"all": "a"})
    system = os.uname()
    facts = {
        "s": "Linux",
        "n": system.nodename,
        "r": system.release,
        "m": system.machine,
        "o": "GNU/Linux",
    }
    chosen = (
        "snrmo"
        if "a" in options
        else "".join(letter for letter in "snrmo" if letter in options) or "s"
    )
    call.out.line(" ".join(facts[letter] for letter in chosen))


def hostname(call: Call) -> None:
    call.out.line(os.uname().nodename)


def nproc(call: Call) -> None:
    call.out.line(str(len(os.sched_getaffinity(0))))
