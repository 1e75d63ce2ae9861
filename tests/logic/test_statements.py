"""Statements and their predicates, read from the text, beside clingo's syntax trees."""

from __future__ import annotations

from pathlib import Path

import pytest
from clingo import ast

from mars_logic.logic.statements import Names, read_statements
from mars_logic.system import resources

IDLE = (
    ast.ASTType.Comment,
    ast.ASTType.Defined,
    ast.ASTType.Program,
)
ENCODINGS = {
    path.relative_to(resources.folder("encodings")).as_posix(): path
    for path in sorted(resources.folder("encodings").rglob("*.lp"))
    if "#include" not in path.read_text(encoding="utf-8")
}


class _Collector(ast.Transformer):
    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_SymbolicAtom(self, atom: ast.AST) -> ast.AST:
        term = atom.symbol
        while term.ast_type != ast.ASTType.Function:
            term = term.arguments[0] if term.ast_type == ast.ASTType.Pool else term.argument
        self.names.add(term.name)
        return atom


def names(*nodes: ast.AST) -> Names:
    collector = _Collector()
    for node in nodes:
        collector.visit(node)
    return frozenset(collector.names)


def by_trees(node: ast.AST) -> tuple[Names, Names, Names]:
    """What a statement defines, reads and takes."""
    if node.ast_type != ast.ASTType.Rule:
        return names(), names(node), names()
    head = node.head
    if head.ast_type == ast.ASTType.Literal:
        defines, reads = names(head), names()
    elif head.ast_type != ast.ASTType.Aggregate:
        defines, reads = names(head), names(head)
    else:
        defines = names(*(each.literal for each in head.elements))
        reads = names(*(part for each in head.elements for part in each.condition))
    positive = [
        part
        for part in node.body
        if part.ast_type == ast.ASTType.Literal
        and part.sign == ast.Sign.NoSign
        and part.atom.ast_type == ast.ASTType.SymbolicAtom
    ]
    return defines, reads | names(*node.body), names(*positive)


def parsed(text: str) -> list[ast.AST]:
    nodes: list[ast.AST] = []
    ast.parse_string(text, nodes.append)
    return [node for node in nodes if node.ast_type not in IDLE]


def require_same(text: str) -> None:
    trees = []
    for found in read_statements(text):
        own = parsed(found.text)  # several, where one directive has several elements
        told = [frozenset().union(*each) for each in zip(*map(by_trees, own), strict=True)]
        assert [found.defines, found.reads, found.takes] == told, found.text
        trees += own
    assert [str(node) for node in trees] == [str(node) for node in parsed(text)]


@pytest.mark.parametrize("name", ENCODINGS)
def test_encodings_are_read_as_clingo_reads_them(name: str) -> None:
    require_same(Path(ENCODINGS[name]).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "text",
    [
        'a("b. c", 1..3). % d.\nb :- a("%", X), X = f(Y) : c(Y).',
        "{ a(X) : b(X), not c; d } 1 :- e, 1 { f(X) : g(X) ; not h }, not not i, X = 1..2.",
        "a ; b : c, d :- e : f, g ; h ; n > 3, X = m(2).",
        ":- #sum { W, t(X) : a(X, W), b ; 1 : c } > n, d.",
        ":~ a(X), not b. [X@2, c]\n#minimize { 1@2, a : b ; X, Y : c(X, Y) }.",
        "#heuristic a(X) : b(X), not c. [1 - X, true]\n#external d : e.\n#const n = 4.",
        "a. %* b. *% c :- d. %*! e(X)\nf. *%\n#show.\n#show g/2.\n#program step(t).\n#defined h/1.",
        "p(X) :- X = #max { 1; S : q(I, S), r(I, K), K > 0 }, (X, Y) = (1, 2), s(((1)), (2;3)).",
        ":- x.\n#false :- y.\na(-1) :- n - 1 < k, b.",
    ],
)
def test_statements_of_all_kinds(text: str) -> None:
    require_same(text)


def test_statements_tell_what_they_show() -> None:
    found = read_statements("#show.\n#show a/2.\n#show b(X) : b(X), c(X).\na(1, 2).")
    assert [set(each.shows) for each in found] == [set(), {"a"}, {"b"}, set()]
