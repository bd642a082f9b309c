"""The optional rules of the text: off unless the GM wants them."""

from fightcall_engine.kit.views import Setting


def _optional(key: str, text: str, rule: str) -> Setting:
    """An optional rule of the text: off unless the GM wants it."""
    return Setting(key, False, text, rule, (False, True))


OPTIONAL_RULES: tuple[Setting, ...] = (
    _optional("pulse_movement", "All movement runs in ten one-second Pulses before any Action is settled", "CS-008"),
    _optional("body_points", "Blows take Body Points; levels of wounding are quarters of them", "CS-550"),
    _optional(
        "damage_multipliers", "A multiplier of the weapon takes the Damage Bonus's place (needs body_points)", "CS-551"
    ),
    _optional("armour_wear", "Armour loses DR with every strike that lands on it", "CS-580"),
    _optional("armour_grades", "Layers may be Strong or Proof against bodkins and heavy bolts", "CS-577"),
    _optional("special_attacks", "Types of attack beside Common Strike, Hurl, Fire, Charge and Brawl", "CS-350"),
    _optional("thrust", "Thrust: narrow points go through padded and mail (needs special_attacks)", "CS-574"),
    _optional("slash", "Slash: the blow ruins armour first (needs special_attacks and armour_wear)", "CS-590"),
    _optional("aimed_strike", "Aimed Strike: settled by the GM, never a Reprisal (needs special_attacks)", "CS-483"),
    _optional("heroic_effects", "A roll within a tenth of the chance is a Heroic Effect", "CS-635"),
    Setting(
        "heroic_scope",
        "pivotal",
        "Heroic Effects and Bumbles count in pivotal scenes only, or always",
        "CS-638",
        ("pivotal", "always"),
    ),
    Setting(
        "heroic_for",
        "pc_only",
        "Whom Heroic Effects favour: PCs and NPCs marked as their like, or everybody",
        "CS-636",
        ("pc_only", "all"),
    ),
    _optional("bumbles", "A failure in the top tenth of the failing rolls is a Bumble", "CS-637"),
    _optional("fate_tokens", "Heroic Effects and Bumbles may give tokens that alter a later roll", "CS-651"),
    Setting(
        "token_mode",
        "effect",
        "What a Heroic Effect or Bumble gives: its effect, a token, or a small effect and a token",
        "CS-652",
        ("effect", "token", "both"),
    ),
    Setting("fate_pass_limit", 1, "How often a token may be handed on", "CS-654", least=0),
    _optional("end", "Attacks and defences cost Endurance, 1 point each", "CS-479"),
    _optional("cnd_allowance", "A Segment with any attack or defence costs 1 point of the CND allowance", "CS-343"),
    _optional("grid", "The display is a grid of inch squares, 5 ft each", "CS-681"),
    _optional("formal_scales", "The display may change to 10 ft or 25 ft for each 25 mm", "CS-680"),
)
