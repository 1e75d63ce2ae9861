"""How kernels call kernels: as parts of the one that Python calls, not as functions of their own.

numba makes machine code of every function that it compiles, so that Python could call it, and
optimises it with all functions that it calls: what lies deep below an entry is optimised and
translated once for each function above it. Here a function that is compiled for its callers stays
in LLVM's intermediate language. Whichever kernel Python calls takes in all functions below it, and
these are optimised together, once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import compiler, event, sigutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.typing.templates import make_concrete_template


def call_as_part(dispatcher: Any, args_of: Callable[[Any], Any]) -> None:
    """Let a function be compiled into the compiled functions that call it.

    Args:
        dispatcher: numba's dispatcher of the function.
        args_of: The types that arguments of a type are passed as.
    """
    part = _Part(dispatcher, args_of)
    dispatcher.get_call_template = part.call_template
    dispatcher.get_overload = part.entry
    compile_for_python = dispatcher._compiler.compile

    def compile_with_parts(args: Any, return_type: Any) -> Any:
        compiled = compile_for_python(args, return_type)
        codegen = compiled.library.codegen
        for each in compiled._find_referenced_environments():
            codegen.set_env(each.env_name, each)
        return compiled

    dispatcher._compiler.compile = compile_with_parts


class _Library(JITCodeLibrary):
    """Code that is linked into other code, and neither optimised nor run by itself."""

    def finalize(self) -> None:
        self._raise_if_finalized()  # type: ignore[no-untyped-call]
        self._finalized = True


class _Part:
    """The forms of one function that are parts of others, by the types of arguments."""

    def __init__(self, dispatcher: Any, args_of: Callable[[Any], Any]) -> None:
        self._dispatcher = dispatcher
        self._args_of = args_of
        self._entries: dict[Any, object] = {}
        self._signatures: list[Any] = []

    def call_template(self, args: Any, keywords: Any) -> Any:
        """What numba's typing asks for: the signatures, after there is one for these types."""
        wide = tuple(map(self._args_of, args))
        pysig, folded = self._dispatcher._compiler.fold_argument_types(wide, keywords)
        self._compile(tuple(folded))
        name = self._dispatcher.py_func.__name__
        template = make_concrete_template(  # type: ignore[no-untyped-call]
            f"CallTemplate({name})", key=name, signatures=[*self._signatures]
        )
        return template, pysig, folded, {}

    def entry(self, sig: Any) -> object:
        """The key of the form with this signature in numba's table of functions."""
        args, _ = sigutils.normalize_signature(sig)  # type: ignore[no-untyped-call]
        return self._entries[tuple(args)]

    def _compile(self, args: tuple[Any, ...]) -> None:
        with global_compiler_lock:
            if args not in self._entries:
                about = {"dispatcher": self._dispatcher, "args": args, "return_type": None}
                counter = self._dispatcher._compiling_counter  # tells numba of recursion
                with event.trigger_event("numba:compile", data=about), counter:
                    self._lower(args)

    def _lower(self, args: tuple[Any, ...]) -> None:
        made = self._dispatcher._compiler
        target = made.targetdescr.target_context
        flags: Any = compiler.Flags()  # type: ignore[no-untyped-call]
        made.targetdescr.options.parse_as_flags(flags, made.targetoptions)
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        library: Any = _Library(target.codegen(), made.py_func.__qualname__)  # type: ignore[no-untyped-call]
        found = compiler.compile_extra(  # type: ignore[no-untyped-call]
            made.targetdescr.typing_context,
            target,
            made.py_func,
            args=args,
            return_type=None,
            flags=flags,
            locals=made.locals,
            library=library,
            pipeline_class=made.pipeline_class,
        )
        key = object()
        # The functions that it calls are its callers' to link, each once.
        below = dict.fromkeys((library, *library._linking_libraries))
        target.insert_user_function(key, found.fndesc, tuple(below))
        self._entries[args] = key
        self._signatures.append(found.signature)
