"""Fights of Combat Segments that several tests begin with."""

from fightcall_engine.archive.encounters import load_encounter, start_fight

ORDER = ("aldous-bray", "oskar-the-axe", "pell", "berit", "cade", "groom-1", "groom-2")
CORNERS = {"pell": "A1", "berit": "A10", "cade": "B10", "groom-1": "C1", "groom-2": "D1"}


def declaring():
    """The tiltyard at its first Declaration."""
    fight = start_fight(load_encounter("the-tiltyard"), id="yard", seed="3")
    fight.give("start")
    fight.give("advance")
    return fight


def on_one_line(**settings):
    """The tiltyard after Initiative: Aldous and Oskar on one line, all others in the corners."""
    fight = start_fight(load_encounter("the-tiltyard"), id="yard", seed="1415")
    for key, value in settings.items():
        fight.give("configure", setting=key, value=value)
    fight.give("start")
    for place, combatant_id in enumerate(ORDER):
        fight.give("initiative", who=combatant_id, total=20 - place)
    for combatant_id, corner in CORNERS.items():
        fight.give("place", who=combatant_id, at=corner)
    fight.give("place", who="aldous-bray", at="M4", facing=0)
    fight.give("place", who="oskar-the-axe", at="R4", facing=4)
    return fight


def crossing(**settings):
    """Aldous walks up to Oskar on one line with him, who may strike as he comes near."""
    fight = on_one_line(**settings)
    fight.give("declare", who="aldous-bray", action="strike", target="oskar-the-axe")
    while not fight.state.prompts:
        fight.give("advance")
    return fight


def passing_the_archer(dice="engine"):
    """The ford, where Raider 1 walks up to Alys, who holds nothing but her bow."""
    fight = start_fight(load_encounter("the-withy-ford"), id="ford", seed="3")
    fight.give("start")
    fight.give("place", who="raider-1", at="F2")
    for total, who in enumerate(("alys", "raider-1", "raider-2", "raider-3", "rafe", "benet", "cuthbert")):
        fight.give("initiative", who=who, total=20 - total)
    fight.give("wait", who="alys")
    fight.give("move", who="raider-1", path=["E2", "D2", "C2"])
    fight.give("configure", setting="dice", value=dice)
    return fight


def shot_from_the_willows():
    """The ford after Rafe has shot at Alys and missed: who shot, she may make out."""
    fight = start_fight(load_encounter("the-withy-ford"), id="ford", seed="3")
    fight.give("start")
    fight.give("advance")
    fight.give("declare", who="rafe", action="shoot", target="alys")
    while fight.state.step.kind != "resolve":
        fight.give("advance")
    fight.give("resolve", who="rafe", hit=False)
    return fight


def both_attack(path=None, seed=None):
    """Two in a yard, the attack of each declared; the next step is the Resolution of Berit."""
    encounter = load_encounter("first-segment")
    fight = start_fight(encounter, id="yard", seed=seed or encounter.seed, path=path)
    fight.give("start")
    for attacker, target in (("berit", "pell"), ("pell", "berit")):
        fight.give("advance")
        assert fight.state.step.actor == attacker
        fight.give("declare", who=attacker, action="strike", target=target)
    return fight


def landed_in_concert(fight):
    """The Last Touch after two blades landed in concert: driven back, armour worn, wounds, and two checks due."""
    fight.give("start")
    for total, who in enumerate(("isaut-de-warre", "corso-vail", "sander-holt", "tibalt")):
        fight.give("initiative", who=who, total=20 - total)
    both = {"weapon": "rapier", "second": "dagger", "mode": "concert"}
    fight.give("declare", who="isaut-de-warre", target="corso-vail", **both)
    fight.give("advance")
    fight.give("declare", who="corso-vail", target="isaut-de-warre")
    while fight.state.step.kind != "resolve":
        fight.give("advance")
    fight.give("resolve", who="isaut-de-warre", hit=True)
    return fight
