"""The words of sentences in normal form, as tables: synonyms and inflected forms.

``CANONICAL_SYNONYMS`` is of whole rules and parts of rules, ``FREE_SYNONYMS`` of free text, which
adds to it. Each normal form has the phrases that it replaces. One that is empty drops the
phrase. Words that stand in neither table keep their meaning, so that a hedge ("may", "sometimes")
or a quantifier ("enough") stays in the sentence and makes it unreadable.
"""

from __future__ import annotations

from collections.abc import Mapping

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

CANONICAL_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "appears": ("appear",),
    "approaches": (
        *("approach", "chases", "chase", "follows", "follow"),
        *("moves towards", "move towards", "moves toward", "move toward"),
    ),
    "arrow": ("arrows",),
    "attacks": ("attack",),
    "chance": ("of time",),
    "cannot": ("can't", "can not"),
    "collecting": ("gathering", "to collect", "to gather"),
    "costs": ("cost",),
    "deals": ("deal",),
    "does": ("do",),
    "does not": ("doesn't", "don't", "does not", "do not", "never"),
    "gives": ("give", "restores", "restore", "increases", "increase"),
    "has": ("have",),
    "hit": ("hits",),
    "is": ("are",),
    "it": ("they", "that"),
    "kills": ("kill",),
    "leaves": ("leave",),
    "lets": ("let",),
    "making": ("crafting", "to make", "to craft"),
    "mining": ("to mine",),
    "move": ("moves",),
    "needs": ("need", "requires", "require"),
    "placing": ("to place",),
    "player": ("you",),
    "shoots": ("shoot",),
    "sleeps": ("sleep",),
    "starts": ("start",),
    "stays": ("stay",),
    "uses": ("use", "consumes", "consume"),
    "wanders about": (
        *("wander about", "wanders about", "wander around", "wanders around"),
        *("walk around", "walks around", "move around", "moves around"),
    ),
    "wood": ("wooden",),
    "works": ("work",),
    "yields": ("yield", "produces", "produce"),
    **{str(number): (word,) for number, word in enumerate(_NUMBERS, 1)},
}


def _forms(verb: str) -> tuple[str, ...]:
    """The infinitive, the third person and the gerund of a verb, with and without "to".

    >>> _forms("chop")
    ('chop', 'chops', 'choping', 'to chop', 'choping of')
    """
    word, *rest = verb.split()
    stem = word.removesuffix("e")
    s = "es" if word.endswith(("s", "sh", "ch")) else "s"
    inflected = (word, f"{word}{s}", f"{stem}ing", f"to {word}")
    forms = tuple(" ".join((each, *rest)) for each in inflected)
    return (*forms, f"{forms[2]} of")


def _on(*verbs: str) -> tuple[str, ...]:
    """Verbs of motion with the prepositions of a move onto a cell."""
    where = ("on", "over", "through", "across", "onto", "into", "upon", "in")
    return tuple(f"{verb} {each}" for verb in verbs for each in where)


FREE_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "": (
        *(
            "just",
            "just fine",
            "really",
            "simply",
            "successfully",
            "immediately",
            "instantly",
            "note that",
            "there",
            "remember that",
            "it turns out that",
            "turns out that",
            "turns out",
            "in this game",
            "in this world",
        ),
        *("in your inventory", "in inventory", "in hand", "in your hand", "in order", "ore"),
        *("block", "blocks", "tile", "tiles", "cell", "cells", "units", "unit", "units of"),
        *("unit of", "piece of", "pieces of", "level", "levels", "your", "their", "my"),
        *("points of", "point of", "points", "point", "resource", "resources", "materials"),
        *("to player inventory", "to your inventory", "to inventory", "in player inventory"),
        *("from player inventory", "from your inventory", "from inventory"),
        *("item", "items", "amount of", "worth of", "per hit", "per step", "material"),
        *("in their inventory", "in its inventory", "use of", "each time"),
    ),
    "1": ("single",),
    "being": ("standing",),
    "and": ("+", "&", "as well as"),
    "approaches": (
        *("pursues", "pursue", "hunts", "hunt", "comes towards", "come towards", "comes toward"),
        *("walks towards", "walk towards", "walks toward", "come toward", "walk toward"),
        *("runs after", "run after", "is following", "is chasing", "is approaching"),
        *("are following", "are chasing", "are approaching"),
    ),
    "attacks": ("is attacking", "are attacking"),
    "can": ("is able to", "are able to"),
    "cannot": ("cant", "can never", "is unable to", "is not able to", "are unable to"),
    "collected": (
        *("gathered", "mined", "harvested", "chopped", "chopped down", "cut", "cut down", "dug"),
        *("dug up", "picked up", "felled", "broken", "collection", "extracted"),
    ),
    "collecting": (*_forms("collect"), *_forms("gather"), *_forms("pick up")),
    "costs": (
        *("costing", "reduces", "reduce", "reducing", "decreases", "decrease", "decreasing"),
        *("lowers", "lower", "lowering", "drains", "drain", "draining", "takes away", "take away"),
        *("subtracts", "subtract"),
    ),
    "deadly": ("lethal", "fatal"),
    "deals": ("dealing", "inflicts", "inflict", "does damage of"),
    "dies": ("die",),
    "does not": ("does never", "do never"),
    "does nothing": (
        *("has no influence", "have no influence", "has no impact", "have no impact"),
        *("does not affect", "do not affect", "doesn't affect", "don't affect"),
        *("has no effect", "have no effect", "do nothing"),
    ),
    "drinking": ("drinking from", "drinks from", "drinks", "to drink from"),
    "eating": ("to eat", "eats", "eat"),
    "eaten": ("consumed",),
    "edible": ("eatable",),
    "food": ("foods",),
    "gets": (
        *("get", "getting", "to get", "receives", "receive", "gains", "gain", "gaining", "obtains"),
        *("obtain", "obtaining", "to obtain", "acquires", "acquire", "earns", "earn"),
    ),
    "gives": (
        *(
            "giving",
            "gives back",
            "give back",
            "restoring",
            "increasing",
            "provides",
            "provide",
            "providing",
            "grants",
        ),
        *("grant", "granting", "drops", "drop", "dropping", "supplies", "supply", "adds", "add"),
        *("adding", "replenishes", "replenish", "raises", "raise", "boosts", "boost"),
        *("results in obtaining", "result in obtaining", "results in", "result in"),
        *("results in acquisition of", "result in acquisition of", "leads to acquisition of"),
        *("->", "=>", "\u2192"),
    ),
    "has": (
        *("holds", "hold", "possesses", "possess", "owns", "own", "carries", "carry"),
        *("is holding", "are holding", "is carrying", "are carrying"),
    ),
    "heals": ("heal", "healing"),
    "hurts": (
        *("hurt", "hurting", "damages", "damage player", "damage you", "harms", "harm"),
        *("injures", "injure", "causes damage to", "cause damage to"),
    ),
    "is": ("'re",),
    "is needed": (
        *("is required", "are required", "are needed", "is necessary", "are necessary"),
        *("is essential", "are essential", "is precondition of", "is precondition for"),
        *("is prerequisite for", "is prerequisite of", "is requirement for"),
    ),
    "needed": ("required", "necessary"),
    "is not": ("isn't", "aren't", "is not", "are not", "is never", "are never"),
    "it": ("this", "them", "these"),
    "killing": ("defeating", "slaying", "to kill", "to defeat"),
    "kills": (
        *("results in death", "result in death", "causes death", "cause death", "means death"),
        *("leads to death", "results in instant death", "causes instant death"),
        *("means instant death", "is instant death", "= death", "results in player's death"),
        *("results in player death", "leads to player death", "causes player death"),
    ),
    "leaves": ("leaving", "leaves behind", "leave behind", "leaving behind"),
    "loses": ("lose", "losing"),
    "possible": ("allowed", "permitted"),
    "made": ("crafted", "built", "constructed", "created", "forged"),
    "making": (
        *_forms("make"),
        *_forms("craft"),
        *_forms("build"),
        *_forms("construct"),
        *_forms("create"),
        *_forms("forge"),
    ),
    "mining": (
        *_forms("mine"),
        *_forms("harvest"),
        *_forms("chop"),
        *_forms("chop down"),
        *_forms("break"),
        *_forms("extract"),
        *("dig", "digs", "digging", "to dig", "dig up", "digging up", "to dig up", "chopping"),
        *("cut", "cuts", "cutting", "to cut", "cut down", "cutting down", "to cut down"),
        *("chopping down", "felling", "interacting with"),
    ),
    "near": (
        *("next to", "beside", "close to", "adjacent to", "alongside", "at", "in vicinity of"),
        *("in proximity to", "in proximity of", "within reach of"),
    ),
    "nearby": ("near by", "close by", "near you", "near player", "nearby you"),
    "needs": (
        *(
            "requiring",
            "needing",
            "must have",
            "must to have",
            "must hold",
            "must possess",
            "has to have",
        ),
        *("have to have", "needs to have", "need to have", "needs to hold", "need to hold"),
    ),
    "needs to be": ("need to be", "must be", "has to be", "have to be", "must stand"),
    "only": ("exclusively", "solely"),
    "pickaxe": ("pick axe", "pickax"),
    "pickaxes": ("pick axes",),
    "placed": ("put", "put down", "planted", "set down"),
    "placing": (
        *_forms("place"),
        *("putting", "putting down", "to put", "to put down", "planting", "to plant"),
        *("setting up", "set up", "sets up", "to set up", "setting down", "putting up"),
    ),
    "player": ("agent", "we", "i", "he", "she", "your character", "me"),
    "player can": (
        *(
            "u can",
            "you can",
            "agent can",
            "we can",
            "i can",
            "you are able to",
            "player is able to",
        ),
        *("it is possible to", "it's possible to"),
    ),
    "player cannot": (
        *(
            "you cant",
            "u cannot",
            "u cant",
            "player cant",
            "you cannot",
            "you can't",
            "you can not",
            "player can't",
            "player can not",
            "we can't",
        ),
        *("you can never", "player can never", "agent cannot", "agent can't", "we cannot"),
        *("it is not possible to", "it is impossible to", "it's impossible to"),
        *("it isn't possible to", "you are unable to", "player is unable to"),
    ),
    "shoots": ("fires", "fire", "shooting", "firing"),
    "spawns": ("spawn", "spawning", "summons", "summon"),
    "starts": ("begins", "begin"),
    "stays put": (
        *("stay where it is", "stays where it is", "stay where they are", "stays where they are"),
        *("stays still", "stay still", "stands still", "stand still", "does not move"),
        *("do not move", "doesn't move", "don't move", "never moves", "never move", "stay put"),
        *("does not moves", "is stationary", "are stationary", "stays in place", "stay in place"),
        *("remains in place", "remain in place"),
    ),
    "table": ("crafting table", "workbench"),
    "tables": ("crafting tables", "workbenches"),
    "takes": ("take", "taking"),
    "turns": ("changes", "converts", "transforms", "changing", "converting", "transforming"),
    "turns into": (
        *("turn into", "turning into", "becomes", "become", "becoming", "changes into"),
        *("change into", "changes to", "change to", "turns to", "turn to", "is turned into"),
        *("are turned into", "is replaced by", "is replaced with", "are replaced by"),
        *("are replaced with", "transforms into", "transform into", "is converted to"),
        *("is converted into", "is transformed into", "are transformed into"),
    ),
    "turns it into": (
        *("turn it into", "turning it into", "turns it to", "changes it into", "changes it to"),
        *("converts it to", "converts it into", "transforms it into", "replaces it with"),
        *("replaces it by", "turns them into", "changes them into", "changes them to"),
        *("converts them into", "converts them to", "changing it into", "changing it to"),
    ),
    "unchanged": ("as it is", "as it was", "as they are", "as is", "intact"),
    "uses": (
        *("uses up", "use up", "consuming", "spends", "spend", "eats up", "eat up", "is used up"),
    ),
    "walk on": _on("walk", "step", "move", "travel", "go"),
    "walkable": ("passable", "traversable"),
    "walked on": (
        *_on("walked", "stepped", "moved", "travelled", "traveled"),
        *("crossed", "traversed", "entered", "passed through"),
    ),
    "walking on": (
        *_on("walking", "stepping", "moving", "travelling", "walks", "steps", "moves"),
        *("entering", "crossing", "traversing"),
    ),
    "unwalkable": ("impassable", "not walkable", "not passable", "not traversable"),
    "wanders about": (
        *("wanders", "wander", "roams", "roam", "roams around", "roam around", "roams about"),
        *("moves randomly", "move randomly", "walks randomly", "walk randomly"),
        *("wanders randomly", "wander randomly", "moves about", "move about", "wandering"),
    ),
    "when": ("if", "once", "after", "upon", "whenever", "as soon as", "while"),
    "without": (
        *("without having", "without possessing", "without holding", "without owning"),
        *("without using", "without first having"),
    ),
    "with": ("w/", "using", "by using", "with help of", "via"),
    "yields": ("yielding", "producing"),
}
