"""The words of sentences in normal form: synonyms, inflected forms, and words without meaning.

``CANONICAL`` is the vocabulary of whole rules and parts of rules, ``FREE`` that of free text, which
adds to it. Both are tables: each normal form with the phrases that it replaces. A normal form that
is empty drops the phrase. Words that stand in neither table keep their meaning, so that a hedge
("may", "sometimes") or a quantifier ("enough") stays in the sentence and makes it unreadable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

_WORD = re.compile(r"[0-9][0-9.eE+\-]*%?|[^\s_,;:()\[\]*\"`\u201c\u201d]+")
_ARTICLES = ("", "a", "an", "the", "any", "each", "every", "its")
_ADVERBS = ("also", "always", "both", "exactly", "then", "will")
_DASHES = ("-", "\u2013", "\u2014", "\u2022")
_FILLERS = frozenset((*_ARTICLES, *_ADVERBS, *_DASHES))
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

_CANONICAL: Mapping[str, tuple[str, ...]] = {
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


_FREE: Mapping[str, tuple[str, ...]] = {
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
        ),
        *("in your inventory", "in inventory", "in hand", "in your hand", "in order", "ore"),
        *("block", "blocks", "tile", "tiles", "cell", "cells", "units", "unit", "units of"),
        *("unit of", "piece of", "pieces of", "level", "levels", "your", "their", "my"),
        *("points of", "point of", "points", "point", "resource", "resources", "materials"),
        *("to player inventory", "to your inventory", "to inventory", "in player inventory"),
        *("from player inventory", "from your inventory", "from inventory"),
        *("item", "items", "amount of", "worth of", "per hit", "per step"),
    ),
    "and": ("+", "&", "as well as"),
    "approaches": (
        *("pursues", "pursue", "hunts", "hunt", "comes towards", "come towards", "comes toward"),
        *("walks towards", "walk towards", "walks toward", "come toward", "walk toward"),
        *("runs after", "run after", "is following", "is chasing", "is approaching"),
        *("are following", "are chasing", "are approaching"),
    ),
    "attacks": ("is attacking", "are attacking"),
    "can": ("is able to", "are able to"),
    "cannot": ("can never", "is unable to", "is not able to", "are unable to"),
    "collected": (
        *("gathered", "mined", "harvested", "chopped", "chopped down", "cut", "cut down", "dug"),
        *("dug up", "picked up", "felled"),
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
    "does nothing": ("has no effect", "have no effect", "do nothing"),
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
        *("giving", "restoring", "increasing", "provides", "provide", "providing", "grants"),
        *("grant", "granting", "drops", "drop", "dropping", "supplies", "supply", "adds", "add"),
        *("adding", "replenishes", "replenish", "raises", "raise", "boosts", "boost"),
        *("results in obtaining", "result in obtaining", "results in", "result in"),
        *("->", "=>", "\u2192"),
    ),
    "heals": ("heal", "healing"),
    "hurts": (
        *("hurt", "hurting", "damages", "damage player", "damage you", "harms", "harm"),
        *("injures", "injure", "causes damage to", "cause damage to"),
    ),
    "is": ("'re",),
    "is needed": (
        *("is required", "are required", "are needed", "is necessary", "are necessary"),
        *("is essential", "are essential"),
    ),
    "is not": ("isn't", "aren't", "is not", "are not", "is never", "are never"),
    "it": ("this", "them", "these"),
    "killing": ("defeating", "slaying", "to kill", "to defeat"),
    "kills": (
        *("results in death", "result in death", "causes death", "cause death", "means death"),
        *("leads to death", "results in instant death", "causes instant death"),
        *("means instant death", "is instant death"),
    ),
    "leaves": ("leaving", "leaves behind", "leave behind", "leaving behind"),
    "loses": ("lose", "losing"),
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
    "pickaxe": ("pick axe", "pick-axe", "pickax"),
    "pickaxes": ("pick axes", "pick-axes"),
    "placed": ("put", "put down", "planted", "set down"),
    "placing": (
        *_forms("place"),
        *("putting", "putting down", "to put", "to put down", "planting", "to plant"),
    ),
    "player": ("agent", "we", "i", "he", "she", "your character", "me"),
    "player can": (
        *("you can", "agent can", "we can", "i can", "you are able to", "player is able to"),
        *("it is possible to", "it's possible to"),
    ),
    "player cannot": (
        *("you cannot", "you can't", "you can not", "player can't", "player can not", "we can't"),
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
    "table": ("crafting table", "workbench", "crafting-table"),
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
    "uses": ("uses up", "use up", "consuming", "spends", "spend"),
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
    "with": ("using", "by using", "with help of", "via"),
    "yields": ("yielding", "producing"),
}


@dataclass(frozen=True)
class Word:
    """One word of a sentence: its normal form and its position."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Lexicon:
    """Synonyms and the way to find words in a text.

    Attributes:
        synonyms: Each phrase, as words without fillers, with its normal form.
        free: Whether possessives and signed numbers are taken apart, as in free text.
    """

    synonyms: Mapping[tuple[str, ...], str]
    free: bool

    @classmethod
    def of(cls, *tables: Mapping[str, Iterable[str]], free: bool) -> Lexicon:
        """The union of some tables, of which later ones go before earlier ones."""
        phrases = {
            phrase: normal
            for table in tables
            for normal, others in table.items()
            for phrase in (*others, normal)
            if phrase
        }
        return cls(
            {
                tuple(word for word in phrase.split() if word not in _FILLERS): normal
                for phrase, normal in phrases.items()
            },
            free,
        )

    def words_of(self, sentence: str) -> tuple[Word, ...]:
        """The words that carry meaning, in normal form."""
        return tuple(self._normal(list(self._raw(sentence))))

    def template_words(self, text: str) -> tuple[str, ...]:
        """The words of a piece of a form, in normal form."""
        return _template_words(self.free, text)

    def _raw(self, sentence: str) -> Iterator[Word]:
        for match in _WORD.finditer(sentence):
            raw = match[0].rstrip(".!")
            text = raw.lower().replace("\u2019", "'")
            end = match.start() + len(raw)
            if self.free:
                text = _POSSESSIVE.sub(r"\1", text)
                if signed := _SIGNED.fullmatch(text):
                    verb = "gives" if signed[1] == "+" else "costs"
                    yield Word(verb, match.start(), end)
                    text = signed[2]
            if text not in _FILLERS:
                yield Word(text, match.start(), end)

    def _normal(self, words: list[Word]) -> Iterator[Word]:
        """The words, with synonyms replaced by one of them."""
        at, longest = 0, max(map(len, self.synonyms))
        while at < len(words):
            for length in range(longest, 0, -1):
                some = words[at : at + length]
                known = self.synonyms.get(tuple(word.text for word in some))
                if known is not None or length == 1:
                    text = some[0].text if known is None else known
                    if text:
                        yield Word(text, some[0].start, some[-1].end)
                    at += len(some)
                    break


_POSSESSIVE = re.compile(r"^(?!(?:it|that|there)'s$)(\w+)'s?$")
_SIGNED = re.compile(r"([+\-\u2212])([0-9]+)")

CANONICAL = Lexicon.of(_CANONICAL, free=False)
"""The vocabulary of canonical sentences, and of what is near to them."""
FREE = Lexicon.of(_CANONICAL, _FREE, free=True)
"""The vocabulary of free text."""


@cache
def _template_words(free: bool, text: str) -> tuple[str, ...]:
    return tuple(word.text for word in (FREE if free else CANONICAL).words_of(text))


def words_of(sentence: str) -> tuple[Word, ...]:
    """The words that carry meaning, in lower case; articles and punctuation carry none.

    Synonyms are replaced by one of them, and so are the forms of a verb.

    >>> [word.text for word in words_of("Placing a Table  consumes 2 wood_pickaxes.")]
    ['placing', 'table', 'uses', '2', 'wood', 'pickaxes']
    """
    return CANONICAL.words_of(sentence)
