"""E-mail addresses: found from the @ outwards, so that text without one costs nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fumehood.validation.nearby import Span

_LOCAL = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+-äöüßéèñçåøæÄÖÜÉ"
_DOMAIN = re.compile(
    r"(?:[A-Za-z0-9äöüßéèñçåøæ][A-Za-z0-9\-äöüßéèñçåøæ]{0,62}\.){1,8}([A-Za-z]{2,24})(?![A-Za-z0-9_(\[]|\.[A-Za-z0-9])"
)
_TOP = frozenset(
    "com org net edu gov mil int info biz name pro aero coop museum jobs mobi travel tel cat asia"
    " post xxx app dev page web cloud online site store shop tech blog email mail live life world"
    " today news media agency studio design digital solutions services group company team work"
    " works software systems network academy school university college institute science health"
    " care clinic bank finance money capital fund insurance law legal consulting club social chat"
    " games video photo art music film london paris berlin hamburg koeln wien amsterdam brussels"
    " nyc tokyo moscow africa global international eco green energy farm food cafe bar restaurant"
    " house land city town xyz top icu vip one space fun wiki link click zone center expert guru"
    " ninja ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo"
    " br bs bt bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz"
    " ec ee eg er es et eu fi fj fk fm fo fr ga gd ge gf gg gh gi gl gm gn gp gq gr gt gu gw gy hk"
    " hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la"
    " lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my"
    " mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro"
    " rs ru rw sa sb sc sd se sg sh si sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk"
    " tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw".split()  # noqa: E501
)
"""Ends of domains that people have addresses under. Others count only where something says that an
address follows: code like `q@k.mean` is multiplication."""
_SAYS_MAIL = re.compile(r"(?i)mail|contact|kontakt|correo|courriel")
_NOBODY = frozenset({"git", "hg", "svn", "ssh"})
"""What stands before the @ in the address of a repository or a machine, not of a person."""


def emails(text: str) -> Iterator[Span]:
    at = text.find("@")
    while at >= 0:
        head = text[max(at - 64, 0) : at]
        local = head[len(head.rstrip(_LOCAL)) :].lstrip(".-+%")
        domain = _DOMAIN.match(text, at + 1) if local else None
        if (
            domain is not None
            and not local.endswith(".")
            and local.lower() not in _NOBODY
            and text[at - len(local) - 2 : at - len(local)] != "//"
        ):
            start, end = at - len(local), domain.end()
            says = (
                bool(_SAYS_MAIL.search(text, max(start - 40, 0), start))
                or text[start - 1 : start] == "<"
            )
            if says or domain[1].lower() in _TOP and not _is_code(local, domain[0]):
                yield start, end
                at = end - 1
        at = text.find("@", at + 1)


def _is_code(local: str, domain: str) -> bool:
    """One letter times the attribute of another: `A@B.it`. An address that short is nobody's."""
    return len(local) == 1 and domain.index(".") == 1 and len(domain) == 4
