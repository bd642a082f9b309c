"""Random games: every table of a file, with values of every kind that it accepts; and how they are played."""

import tomlkit
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from fightcall_engine.homebrew.game import ConditionPart, OrderPart, TriggerPart

# To make a fight shorter in which a law is broken would take minutes: what was done in it is shown in any case.
SHORT_FIGHTS = settings(
    stateful_step_count=20,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
CONDITIONS = ("shaken", "guarding", "burning")
ACTS = ("hit-hard", "help", "burst", "shout")
NUMBERS = (
    "0", "1", "2", "skill", "target.defence", "who.hp // 2", "1 if target.has('shaken') else 0", "round % 3",
    "side.luck", "max(skill, 1)", "contacts", "distance", "hp_max - hp",
)  # fmt: skip
DICE = ("1", "d6", "2d6 + skill", "damage", "{skill}d6>=4", "d8 if who.has('guarding') else d4", "d20 + target.defence")
HOLDS = ("hp > 2", "target.hp < 3", "not who.has('shaken')", "round > 1", "target.able")
COSTS = ({}, {"action": 1}, {"action": 2}, {"action": "1 if skill else 2"}, {"luck": 1}, {"grit": 1})
UNTIL = ("own turn", "own turn end", "turn", "turn end", "round", "ended")


def literals(model, field):
    """The words that a field of a model accepts."""
    return list(model.model_fields[field].annotation.__args__)


def tables(required, **optional):
    """A table with some of its optional keys."""
    return st.fixed_dictionaries(required, optional=optional)


pick = st.sampled_from
number, dice, holds = pick(NUMBERS), pick(DICE), pick(HOLDS)
given = st.one_of(
    pick(CONDITIONS),
    tables({"name": pick(CONDITIONS)}, on=pick(["who", "target"]), until=pick(UNTIL), rounds=st.integers(1, 3)),
)
saves = tables({"roll": pick(["d20", "d6 + skill"]), "needs": number}, half=st.booleans())
amounts = pick([{}, {"luck": 1}, {"grit": "skill"}, {"action": 1}, {"hp": 1}])
OUTCOME = {
    "damage": dice, "lessened_by": number, "heal": dice, "gain": amounts, "lose": amounts,
    "condition": st.one_of(given, st.lists(given, max_size=2)), "ends": pick(CONDITIONS),
    "line": st.just("{who} at {target}"), "pool": pick(["hp", "grit"]),
}  # fmt: skip
outcomes = tables({}, **OUTCOME)
orders = st.builds(
    dict,
    by=pick(literals(OrderPart, "by")), roll=pick(["d20 + skill", "d6"]), each=pick(["fight", "round"]),
    ties=number, lowest_first=st.booleans(), alternate=st.booleans(), first=pick(["party", "foe"]),
    delay=st.booleans(), joker=pick(["", "guarding"]),
)  # fmt: skip


@st.composite
def acts(draw, name):
    act = {"name": name, **draw(outcomes)}
    act["target"] = draw(pick(["self", "enemy", "ally", "anyone", "area"]))
    if act["target"] == "area":
        act |= {"area": draw(number), "hits": draw(pick(["enemies", "allies", "anyone"]))}
    if draw(st.booleans()):
        act |= {"roll": draw(dice), "compare": draw(pick(["at least", "over", "at most", "under"]))}
        act |= draw(pick([{"needs": "target.defence"}, {"needs": [["base", 3], ["more", "skill"]]}, {"against": "d6"}]))
        act |= draw(
            tables(
                {},
                miss=outcomes,
                advantage=number,
                critical=tables({"when": pick(["die == 6", "margin > 4"])}, dice=st.integers(1, 3), **OUTCOME),
            )
        )
    extra = tables(
        {}, key=st.just(name[1]), cost=pick(COSTS), reach=number, sight=st.booleans(), when=holds, save=saves,
        uses=st.integers(1, 2), per=pick(["fight", "round"]), ends_turn=st.booleans(), offered=st.booleans(),
        cover=pick([{"partial": 2}, {"full": "no"}]), ties=pick(["who", "target"]),
    )  # fmt: skip
    return {**act, **draw(extra)}


@st.composite
def conditions(draw, name):
    extra = tables(
        {}, until=pick(literals(ConditionPart, "until")), rounds=st.integers(1, 3),
        changes=pick([{}, {"skill": -1}, {"defence": "round"}]),
        forbids=pick(["acts", "walk", "help"]), skips=st.booleans(), harm=dice, heal=dice, held_by=pick(CONDITIONS),
        save=tables({"roll": st.just("d20"), "needs": number}),
    )  # fmt: skip
    return {"name": name, **draw(extra)}


@st.composite
def triggers(draw):
    trigger = {"when": draw(pick(literals(TriggerPart, "when"))), "to": draw(pick(["self", "enemy", "ally", "anyone"]))}
    # An answer to an answer to an answer needs a price, or it goes on for ever.
    trigger["cost"] = {"grit": 1}
    extra = tables({}, **OUTCOME, reach=number, stops=st.booleans(), save=saves)
    trigger |= draw(extra)
    return {**trigger, **draw(pick([{}, {"asks": "hit-hard"}, {"does": "hit-hard"}, {"if": "target.able"}]))}


luck = tables({"max": st.integers(1, 4)}, start=st.integers(0, 2), side=pick(["party", "foe"]))
paces = pick([{}, {"pace": 1}])
walks = tables({"cost": paces}, places=number, each_place=paces, when=holds)


@st.composite
def games(draw):
    """The text of a random game called ``any``."""
    phases = draw(pick([(), ("first",), ("first", "second")]))
    game = {
        "id": "any", "title": "Any game",
        "sheet": {"hp": draw(st.integers(1, 9)), "skill": 2, "defence": 4, "damage": "d6+1", "grit": 3},
        "pools": {"hp": {"health": True}, "grit": {"refill": draw(pick(["turn", "round", "never"]))}},
        "shared": {"luck": draw(luck)},
        "round": {"order": draw(orders), "seconds": draw(pick([0, 6]))},
        "phase": [{"name": name, **draw(tables({}, order=orders))} for name in phases],
        "act": [draw(acts(name)) for name in ACTS[: draw(st.integers(1, 4))]],
        "condition": [draw(conditions(name)) for name in CONDITIONS],
        "trigger": draw(st.lists(triggers(), max_size=3)),
        "turn": {"action": draw(st.integers(1, 2)), "pace": draw(pick([1, "skill"]))},
        "walk": draw(walks),
    }  # fmt: skip
    if phases and draw(st.booleans()):
        game["phase"].append({"name": "tidy", "upkeep": True})
    known = [act["name"] for act in game["act"]]
    for condition in game["condition"]:
        condition["forbids"] = [each for each in [condition.get("forbids", "walk")] if each in (*known, "acts", "walk")]
    return tomlkit.dumps(game)
