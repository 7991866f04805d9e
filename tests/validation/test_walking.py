"""Values keep their type and their shape, whatever is taken out of them."""

from __future__ import annotations

import array
import collections
import dataclasses
from decimal import Decimal
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from fumehood.results import Execution
from fumehood.validation import PersonalData, Validation
from fumehood.wire.values import Picture, Record, RemoteError, RemoteObject

MAIL, GONE = "bob@example.com", "[e-mail]"
CARD, NO_CARD = 4111111111111111, "[payment card]"
VALIDATION = Validation([PersonalData()])


def cleaned(value: Any) -> Any:
    checked = VALIDATION.check(Execution(value=value))
    assert VALIDATION.check(checked) is checked
    return checked.value


Point = collections.namedtuple("Point", "x y")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (MAIL, GONE),
        ([MAIL, 1, None], [GONE, 1, None]),
        ((MAIL, (2.5,)), (GONE, (2.5,))),
        ({MAIL: MAIL}, {GONE: GONE}),
        ({1: {"a": MAIL}}, {1: {"a": GONE}}),
        ({MAIL, "b"}, {GONE, "b"}),
        (frozenset({MAIL}), frozenset({GONE})),
        (collections.OrderedDict(a=MAIL), collections.OrderedDict(a=GONE)),
        (collections.Counter({MAIL: 3}), collections.Counter({GONE: 3})),
        (collections.deque([MAIL], 5), collections.deque([GONE], 5)),
        (MAIL.encode(), GONE.encode()),
        (bytearray(MAIL, "utf-8"), bytearray(GONE, "utf-8")),
        (f"é {MAIL}".encode("latin-1"), f"é {GONE}".encode("latin-1")),
        (Path("/home") / MAIL, Path("/home") / GONE),
        (PurePosixPath(MAIL), PurePosixPath(GONE)),
        (CARD, NO_CARD),
        (float(CARD), NO_CARD),
        (Decimal(CARD), NO_CARD),
        ([CARD, 5, 2.5], [NO_CARD, 5, 2.5]),
        (array.array("q", [CARD, 5]), [NO_CARD, 5]),
        ({"bsn": 111222333}, {"bsn": "[Dutch citizen number]"}),
        ({"bsn": [111222333, 3]}, {"bsn": ["[Dutch citizen number]", 3]}),
        (Point(MAIL, 1), Point(GONE, 1)),
        (
            Record("app.User", "dataclass", ("name", "mail"), ("b", MAIL)),
            Record("app.User", "dataclass", ("name", "mail"), ("b", GONE)),
        ),
        (Record("Point", "namedtuple", ("x", "y"), (MAIL, 1)), (GONE, 1)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_type_stays_and_the_thing_goes(value: Any, expected: Any) -> None:
    made = cleaned(value)
    assert made == expected and type(made) is (
        type(expected) if not isinstance(value, Record) else type(value)
    )


@pytest.mark.parametrize(
    "value",
    [
        Fraction(CARD, 7),
        b"\x00\xff" + MAIL.encode(),
        10**5000,
        float("nan"),
        float("inf"),
        range(10**12),
        1 + 2j,
        [True, None, ...],
        Picture("image/png", MAIL.encode(), 1, 1),
        {"a": [1, 2, {"b": "nothing"}]},
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_holds_nothing_or_cannot_be_looked_into_is_the_same_object(value: Any) -> None:
    assert cleaned(value) is value


def test_keys_that_would_become_the_same_are_numbered_and_nothing_is_lost() -> None:
    value = {"a@example.com": 1, "b@example.com": 2, "c@example.com": 3}
    assert cleaned(value) == {"[e-mail]": 1, "[e-mail #2]": 2, "[e-mail #3]": 3}
    assert len(cleaned({*value})) == 3


def test_shared_parts_stay_shared_and_cycles_stay_cycles() -> None:
    inner = [MAIL]
    loop: list[Any] = [inner, inner]
    loop.append(loop)
    made = cleaned(loop)
    assert made[0] is made[1] and made[2] is made and made[0] == [GONE]
    assert inner == [MAIL] and loop[2] is loop
    around: dict[str, Any] = {"mail": MAIL}
    around["self"] = (around,)
    made = cleaned(around)
    assert made["mail"] == GONE and made["self"][0]["self"][0]["mail"] == GONE


def test_exceptions_keep_their_type_where_they_can() -> None:
    made = cleaned(ValueError(MAIL, 3))
    assert type(made) is ValueError and made.args == (GONE, 3)
    made = cleaned(FileNotFoundError(2, "No such file", f"/home/{MAIL}"))
    assert type(made) is FileNotFoundError and MAIL not in str(made) and GONE in str(made)
    made = cleaned(RemoteError("app.Wrong", MAIL))
    assert type(made) is RemoteError and made.type_name == "app.Wrong" and made.args == (GONE,)


def test_an_object_that_stayed_in_the_sandbox_keeps_its_id_and_owner() -> None:
    owner = object()
    made = cleaned(RemoteObject(7, "app.User", f"<User {MAIL}>", owner))
    assert (made.id, made.type_name, made.text, made.owner) == (
        7,
        "app.User",
        f"<User {GONE}>",
        owner,
    )


def test_objects_of_the_host_s_own_classes_are_rebuilt_or_shown() -> None:
    """With isolation="inline" a value is the code's own object."""

    @dataclasses.dataclass(frozen=True)
    class User:
        mail: str
        friends: list[str]

    class Odd:
        def __repr__(self) -> str:
            return f"<Odd {MAIL}>"

    made = cleaned(User(MAIL, [MAIL]))
    assert type(made) is User and made == User(GONE, [GONE])
    assert cleaned([Odd()]) == [f"<Odd {GONE}>"]


# -- arrays and tables


def test_arrays_keep_their_shape() -> None:
    np = pytest.importorskip("numpy")
    for made, kind in (
        (cleaned(np.array([[MAIL, "a"], ["b", "c"]])), "U"),
        (cleaned(np.array([[MAIL, 1], [None, 2.5]], dtype=object)), "O"),
        (cleaned(np.array([[MAIL.encode(), b"a"], [b"b", b"c"]])), "S"),
        (cleaned(np.array([[CARD, 1], [2, 3]])), "O"),
        (cleaned(np.array([[float(CARD), 1], [2, 3]])), "O"),
    ):
        assert made.shape == (2, 2) and made.dtype.kind == kind
        assert made[0, 0] in (GONE, GONE.encode(), NO_CARD)
    people = np.array([(MAIL, 3)], dtype=[("mail", "U20"), ("n", "i4")])
    assert (
        cleaned(people)["mail"][0] == GONE
        and cleaned(people)["n"][0] == 3
        and people["mail"][0] == MAIL
    )
    masked = cleaned(np.ma.array([MAIL, "b"], mask=[False, True]))
    assert masked[0] == GONE and masked.mask.tolist() == [False, True]
    assert type(cleaned(np.str_(MAIL))) is np.str_ and cleaned(np.int64(CARD)) == NO_CARD
    dull = np.random.default_rng(1).normal(0, 1e9, (1000, 50))
    assert cleaned(dull) is dull


def test_tables_lose_it_from_columns_labels_and_names() -> None:
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame(
        {
            "mail": [MAIL, "x"],
            "n": [1, 2],
            "card": [CARD, 5],
            "kind": pd.Categorical([MAIL, "b"]),
            "bsn": [111222333, 1],
        },
        index=[MAIL, "row"],
    )
    before = table.copy(deep=True)
    made = cleaned(table)
    assert made["mail"].tolist() == [GONE, "x"] and made["mail"].dtype == table["mail"].dtype
    assert made["card"].tolist() == [NO_CARD, 5] and made["kind"].tolist() == [GONE, "b"]
    assert made["bsn"].tolist() == ["[Dutch citizen number]", 1]
    assert made.index.tolist() == [GONE, "row"] and made["n"].dtype == table["n"].dtype
    pd.testing.assert_frame_equal(table, before)
    assert cleaned(pd.DataFrame([[1, 2]], columns=[MAIL, MAIL])).columns.tolist() == [GONE, GONE]
    dull = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    assert cleaned(dull) is dull


def test_series_and_indexes_lose_it_too() -> None:
    pd = pytest.importorskip("pandas")
    made = cleaned(pd.Series([MAIL, "b"], index=[MAIL, "i"], name=MAIL))
    assert made.tolist() == [GONE, "b"] and made.index.tolist() == [GONE, "i"] and made.name == GONE
    assert cleaned(pd.Index([MAIL, "b"], name="k")).tolist() == [GONE, "b"]
    several = cleaned(pd.MultiIndex.from_tuples([(MAIL, 1), ("b", 2)], names=["m", "n"]))
    assert several.tolist() == [(GONE, 1), ("b", 2)] and [*several.names] == ["m", "n"]
    row = pd.DataFrame({"bsn": ["111222333"], "mail": [MAIL]}).iloc[0]
    assert cleaned(row).tolist() == ["[Dutch citizen number]", GONE]
    nullable = cleaned(pd.Series([CARD, None], dtype="Int64"))
    assert nullable.tolist()[0] == NO_CARD and nullable.isna().tolist() == [False, True]
    assert cleaned({"a": [pd.Series([MAIL])]})["a"][0].tolist() == [GONE]


def test_tables_with_unusual_columns_are_rebuilt() -> None:
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame(
        {
            "text": pd.array([MAIL, None, "x"], dtype="string"),
            "number": pd.array([CARD, None, 3], dtype="Int64"),
            "when": pd.date_range("2020", periods=3, tz="UTC"),
            "span": pd.interval_range(0, 3),
            "nested": [{"mail": MAIL}, [MAIL], None],
        },
        index=pd.period_range("2020", periods=3, freq="D"),
    )
    made = cleaned(table)
    assert made["text"].tolist()[::2] == [GONE, "x"] and made["text"].dtype == table["text"].dtype
    assert made["number"].tolist()[0] == NO_CARD and made["nested"].tolist()[:2] == [
        {"mail": GONE},
        [GONE],
    ]
    assert (
        made["when"].equals(table["when"])
        and made["span"].equals(table["span"])
        and made.index.equals(table.index)
    )
    columns = pd.MultiIndex.from_tuples([("a", "x"), ("b", MAIL)])
    assert cleaned(pd.DataFrame([[1, MAIL]], columns=columns)).columns.tolist() == [
        ("a", "x"),
        ("b", GONE),
    ]
    for empty in (pd.DataFrame(), pd.DataFrame({"a": []}), pd.Series([], dtype=object)):
        assert cleaned(empty) is empty


def test_what_raises_when_it_is_looked_at_is_not_let_through() -> None:
    class Hostile(dict):  # type: ignore[type-arg]
        def items(self) -> Any:
            raise RuntimeError(MAIL)

    class Mute:
        def __repr__(self) -> str:
            raise SystemExit

    checked = VALIDATION.check(Execution(value=[Hostile(a=1), MAIL]))
    assert checked.value == "[withheld: it could not be checked (RuntimeError)]"
    assert VALIDATION.check(Execution(value=[Mute(), MAIL])).value[1] == GONE
