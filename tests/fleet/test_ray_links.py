"""What a link to a node says of it: how many items fit there beside other work, and what else of
the driver's is there."""

from __future__ import annotations

import pytest

from fumehood.fleet.ray_links import RayLink
from fumehood.ray.cluster import Node


def node_of(cpus: float, **resources: float) -> Node:
    """As Ray tells of one."""
    row = {
        "NodeID": "ab" * 28,
        "NodeManagerAddress": "127.0.0.1",
        "Resources": {"CPU": cpus} if cpus else {},
    }
    return Node(row, resources, None, None)


@pytest.mark.parametrize(
    ("cpus", "slots", "unheld", "room"),
    [
        (4, 4, 4, 4),
        (4, 4, 1, 1),
        (4, 4, 0, 0),
        (8, 2, 4, 2),  # enough for both of its slots
        (8, 2, 1, 1),
        (8, 16, 4, 8),  # items that mostly wait: as many for each processor as were asked for
        (0, 3, 0, 3),  # one that Ray counts no processors of
    ],
)
def test_slots_shrink_as_processors_do(cpus: float, slots: int, unheld: float, room: float) -> None:
    node = node_of(cpus)
    node.count(unheld)
    assert RayLink(node, "fleet", slots).room == room


def test_what_the_node_s_own_actor_holds_is_not_other_work() -> None:
    node = node_of(4, CPU=3)
    node.count(1)
    assert node.taken == 3, "there is no actor yet, so somebody else has them"
    node._host = object()
    node.count(1)
    assert node.taken == 0
    node.count(0)
    assert node.taken == 1
    node.count(4)
    assert node.taken == 0, "Ray has not counted the actor yet"
