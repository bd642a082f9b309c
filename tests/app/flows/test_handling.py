"""Objects are thrown by keys; what is known of the throw beforehand can be said besides, and is not asked for then."""

from flowcraft import done, play, press
from test_option_flow import begun, due, fight_of

PEOPLE = {"ash": {"side": "party", "hands": {}}, "eve": {"side": "party", "hands": {}}, "orc": {"side": "foe"}}


def test_a_throw_takes_its_feet_and_a_modifier_besides():
    """CS-094, CS-213, CS-214: where it is settled."""
    table = due(fight_of(PEOPLE), action="object")
    flow = begun(table, "handle")
    press(flow, next(key for key, known in flow.view().choices if known == "throw"))
    press(flow, "* f 1 0 enter * o - 3 enter")
    given_ = play(flow, "k e y enter")
    assert (given_.data["what"], given_.data["feet"], given_.data["modifier"]) == ("throw", 10, -3)
    done(table, given_)
    assert "takes key" in table.state.asked_first.question
