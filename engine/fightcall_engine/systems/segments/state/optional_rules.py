"""The optional rules of the text, which are off by default."""

from typing import Literal

from fightcall_engine.kit.settings import setting
from fightcall_engine.model.values import frozen


@frozen
class OptionalRules:
    """The optional rules, and the choices that some of them leave."""

    pulse_movement: bool = setting(
        False, "Movement runs in ten one-second Pulses before any Action is resolved", "CS-008"
    )
    body_points: bool = setting(False, "Blows cost Body Points; each quarter of them is a level of wounding", "CS-550")
    damage_multipliers: bool = setting(
        False, "A weapon multiplier replaces the Damage Bonus (needs body points)", "CS-551"
    )
    armour_wear: bool = setting(False, "Armour loses DR with every strike that lands on it", "CS-580")
    armour_grades: bool = setting(False, "Layers may be Strong or Proof against bodkins and heavy bolts", "CS-577")
    special_attacks: bool = setting(
        False, "More types of attack than Common Strike, Hurl, Fire, Charge and Brawl", "CS-350"
    )
    thrust: bool = setting(False, "Thrust: narrow points go through padded and mail (needs special attacks)", "CS-574")
    slash: bool = setting(False, "Slash: the blow ruins armour first (needs special attacks and armour wear)", "CS-590")
    aimed_strike: bool = setting(
        False, "Aimed Strike: the GM sets its effect; never a Reprisal (needs special attacks)", "CS-483"
    )
    heroic_effects: bool = setting(False, "A roll within a tenth of the chance is a Heroic Effect", "CS-635")
    heroic_scope: Literal["pivotal", "always"] = setting(
        "pivotal", "Heroic Effects and Bumbles count only in pivotal scenes, or always", "CS-638"
    )
    heroic_for: Literal["pc_only", "all"] = setting(
        "pc_only",
        "Who gets Heroic Effects: PCs and NPCs marked as heroic, or everyone",
        "CS-636",
        words=("PCs", "everybody"),
    )
    bumbles: bool = setting(False, "A failure in the top tenth of the failing rolls is a Bumble", "CS-637")
    fate_tokens: bool = setting(False, "Heroic Effects and Bumbles may give tokens that alter a later roll", "CS-651")
    token_mode: Literal["effect", "token", "both"] = setting(
        "effect", "What a Heroic Effect or Bumble gives: its effect, a token, or a small effect and a token", "CS-652"
    )
    fate_pass_limit: int = setting(1, "How many times a token can be passed on", "CS-654", least=0)
    end: bool = setting(False, "Attacks and defences cost Endurance, 1 point each", "CS-479", title="Endurance")
    cnd_allowance: bool = setting(
        False,
        "A Segment with any attack or defence costs 1 point of the CND allowance",
        "CS-343",
        title="CND allowance",
    )
    grid: bool = setting(False, "The display is a grid of inch squares, 5 ft each", "CS-681")
    formal_scales: bool = setting(False, "The display may change to 10 ft or 25 ft for each 25 mm", "CS-680")
