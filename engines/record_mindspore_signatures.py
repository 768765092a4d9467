"""What constructors and functions of MindSpore 2.10 take, by their own signatures, as a JSON object:

    python record_mindspore_signatures.py > ../src/systems/mindspore/bindings/signatures.json

Of each name its parameters: `=` stands behind one that may be left out, and behind `*` they are given by name alone. A
primitive that modules define differently, and what takes any arguments, is left out.
"""
import inspect
import json

from mindspore import mint, nn, ops
from mindspore.ops import operations
from mindspore.ops.auto_generate import gen_ops_prim
from mindspore.ops.primitive import Primitive


def signature(called):
    """The parameters in words; None if any arguments are taken."""
    words, is_named = [], False
    for each in inspect.signature(called).parameters.values():
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            return None
        if each.kind is each.KEYWORD_ONLY and not is_named:
            words, is_named = [*words, "*"], True
        words.append(each.name + ("" if each.default is inspect._empty else "="))
    return " ".join(words)


def classes(module, base):
    found = {name: getattr(module, name) for name in dir(module)}
    return {name: each for name, each in found.items() if inspect.isclass(each) and issubclass(each, base) and each is not base}


def functions(module):
    return {name: getattr(module, name) for name in dir(module) if not name.startswith("_") and inspect.isfunction(getattr(module, name))}


def recorded(named):
    said = {name: signature(each) for name, each in sorted(named.items())}
    return {name: words for name, words in said.items() if words is not None}


# Read in forms of other versions too.
LATER = ["Roll", "rms_norm"]
generated, written = classes(gen_ops_prim, Primitive), classes(operations, Primitive)
alike = {name: each for name, each in written.items() if signature(each) == signature(generated.get(name, each))}
tables = {
    "Primitive": {name: each for name, each in alike.items() if name not in LATER},
    "nn": classes(nn, nn.Cell),
    "mint.nn": classes(mint.nn, nn.Cell),
}
families = {"ops": ops, "mint": mint, "functional": mint.nn.functional}
tables.update((name, {each: made for each, made in functions(module).items() if each not in LATER}) for name, module in families.items())
print(json.dumps({name: recorded(each) for name, each in tables.items()}, indent=2))
