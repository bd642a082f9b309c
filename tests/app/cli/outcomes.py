"""What came of each line of a transcript, without a word of what was said about it: the form that goldens are kept in.

    fightcall run one.jsonl | python tests/app/cli/outcomes.py | diff - one.out

An answer is one line, and each event of it another: its type, and whatever of it a player at the table would notice.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

NOTICED = (
    "who", "target", "enemy", "hit", "ok", "passed", "total", "amount", "left", "path", "order", "number", "how",
    "degree", "level", "wounds", "choice",
)  # fmt: skip
BOOKKEEPING = ("EntryChanged", "FactChanged", "TraitAdjusted", "TraitChanged", "TraitsChanged", "TraitsReset")


def lines_of(reply: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a golden that stand for one answer."""
    if not reply["ok"]:
        yield _failure(reply)
        return
    yield " ".join(["ok", *(name for name in reply if name not in ("ok", "n", "id", "events", "prompts"))])
    events = reply.get("events", ())
    for event in events:
        if event["type"] not in BOOKKEEPING:
            yield " ".join(["  " + event["type"], *_fields(event)])
    for prompt in reply.get("prompts", ()) if events else ():
        yield f"  asks {prompt['kind']}"
    for combatant_id, combatant in reply.get("state", {}).get("combatants", {}).items():
        pools = (f"{name}={pool['now']}/{pool['max']}" for name, pool in sorted(combatant["pools"].items()))
        yield " ".join(["  " + combatant_id, *pools, "able" if combatant["able"] else "down"])


def _failure(reply: Mapping[str, Any]) -> str:
    if "refused" in reply:
        return f"refused {reply['refused']['rule']}"
    if "needs" in reply:
        return " ".join(["needs", *(roll["purpose"] for roll in reply["needs"])])
    return f"error {reply['error']['where']}"


def _fields(event: Mapping[str, Any]) -> Iterator[str]:
    for name in NOTICED:
        if event.get(name) not in (None, "", []):
            yield f"{name}={json.dumps(event[name], ensure_ascii=False, separators=(',', ':'))}"


if __name__ == "__main__":
    for answer in sys.stdin:
        print("\n".join(lines_of(json.loads(answer))))
