"""The optional rules of the text, which are off by default."""

from typing import Literal

from fightcall_engine.kit.settings import setting
from fightcall_engine.model.values import frozen


@frozen
class OptionalRules:
    """The optional rules, and the choices that some of them leave."""

    pulse_movement: bool = setting(
        False, "All movement happens in ten one-second Pulses before any Action resolves", "CS-008"
    )
    body_points: bool = setting(False, "Hits cost Body Points; each quarter lost is a level of wounding", "CS-550")
    damage_multipliers: bool = setting(
        False, "A weapon's multiplier replaces the Damage Bonus (needs body points)", "CS-551"
    )
    armour_wear: bool = setting(False, "Armour loses DR with each hit on it", "CS-580")
    armour_grades: bool = setting(False, "Layers can be Strong or Proof against bodkins and heavy bolts", "CS-577")
    special_attacks: bool = setting(
        False, "Allow attack types other than Common Strike, Hurl, Fire, Charge and Brawl", "CS-350"
    )
    thrust: bool = setting(False, "Thrust: narrow points go through padded and mail (needs special attacks)", "CS-574")
    slash: bool = setting(
        False, "Slash: the attack damages armour first (needs special attacks and armour wear)", "CS-590"
    )
    aimed_strike: bool = setting(
        False, "Aimed Strike: the GM decides the result; never a Reprisal (needs special attacks)", "CS-483"
    )
    heroic_effects: bool = setting(False, "A roll within a tenth of the chance is a Heroic Effect", "CS-635")
    heroic_scope: Literal["pivotal", "always"] = setting(
        "pivotal", "Heroic Effects and Bumbles count in pivotal scenes only, or always", "CS-638"
    )
    heroic_for: Literal["pc_only", "all"] = setting(
        "pc_only",
        "Who can get Heroic Effects: PCs and NPCs marked as equals, or everyone",
        "CS-636",
        words=("PCs", "everyone"),
    )
    bumbles: bool = setting(False, "A failure in the top tenth of the failing rolls is a Bumble", "CS-637")
    fate_tokens: bool = setting(False, "Heroic Effects and Bumbles can give tokens that change a later roll", "CS-651")
    token_mode: Literal["effect", "token", "both"] = setting(
        "effect", "A Heroic Effect or Bumble gives its effect, a token, or a small effect and a token", "CS-652"
    )
    fate_pass_limit: int = setting(1, "How often a token can be passed on", "CS-654", least=0)
    end: bool = setting(False, "Attacks and defences cost 1 point of Endurance each", "CS-479", title="Endurance")
    cnd_allowance: bool = setting(
        False,
        "A Segment with any attack or defence costs 1 point of the CND allowance",
        "CS-343",
        title="CND allowance",
    )
    grid: bool = setting(False, "The display is a grid of inch squares, 5 ft each", "CS-681")
    formal_scales: bool = setting(False, "The display can change to 10 ft or 25 ft per 25 mm", "CS-680")
