"""What a rule system is built from: `BaseSystem` with its defaults, and the values it exchanges with the screen.

A plug-in imports only from here and from `fightcall_engine.model`.
"""

from fightcall_engine.board.base import Location
from fightcall_engine.kit.agenda import BEARER, BY_GM, MAKER, ROUND, ROUND_END, RoundEvents, StepEvents, due
from fightcall_engine.kit.decision import (
    YES_NO,
    Decision,
    Situation,
    choices,
    prompt_for,
    question_check,
    record_moot,
    renew_questions,
    throw,
    total_check,
)
from fightcall_engine.kit.handlers import answers, handles, reacts_to, rules_on
from fightcall_engine.kit.movement import (
    Line,
    Preview,
    Remedy,
    Row,
    Trial,
    Walk,
    die_row,
    distance_row,
    health_after,
    is_on_board,
    line_to,
    plain_preview,
    plan_walk,
    question_row,
    take_walk,
    text_field,
    with_rows,
)
from fightcall_engine.kit.records import (
    change_pool,
    change_side_pool,
    describe_settings,
    effect_data_of,
    fight_record_of,
    name_of,
    read_settings,
    record_of,
    record_reader,
    resume_of,
    setting,
    sheet_of,
)
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import (
    ANOTHER_TARGET,
    Badge,
    Card,
    Check,
    Declaration,
    Detail,
    Group,
    Input,
    Mark,
    Option,
    Phrase,
    Pips,
    Progress,
    Section,
    Setting,
    SidePool,
    Track,
    Trail,
    TrailPart,
    Words,
    offer,
)
from fightcall_engine.model.errors import FieldValue, Refused, RulingWanted
from fightcall_engine.model.state import Choice, Combatant, Effect, FightState, Json, Pool, Prompt, Resume, Scalar, Step
from fightcall_engine.model.values import value as command
from fightcall_engine.model.values import value as event
from fightcall_engine.model.values import value as resume

__all__ = [
    "ANOTHER_TARGET", "BEARER", "BY_GM", "MAKER", "ROUND", "ROUND_END", "YES_NO", "Badge", "BaseSystem", "Card",
    "Check", "Choice", "Combatant", "Decision", "Declaration", "Detail", "Effect", "FieldValue", "FightState",
    "Group", "Input", "Json", "Line", "Location", "Mark", "Option", "Phrase", "Pips", "Pool", "Preview", "Progress",
    "Prompt", "Refused", "Remedy", "Resume", "RoundEvents", "Row", "RulingWanted", "Scalar", "Section", "Setting",
    "SidePool", "Situation", "Step", "StepEvents", "Track", "Trail", "TrailPart", "Trial", "Walk", "Words",
    "answers", "change_pool", "change_side_pool", "choices", "command", "describe_settings", "die_row",
    "distance_row", "due", "effect_data_of", "event", "fight_record_of", "handles", "health_after", "is_on_board",
    "line_to", "name_of", "offer", "plain_preview", "plan_walk", "prompt_for", "question_check", "question_row",
    "reacts_to", "read_settings", "record_moot", "record_of", "record_reader", "renew_questions", "resume", "resume_of",
    "rules_on", "setting", "sheet_of", "take_walk", "text_field", "throw", "total_check", "with_rows",
]  # fmt: skip
