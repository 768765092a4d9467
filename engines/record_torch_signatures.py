"""What functions of torch and of torch.nn.functional and methods of tensors take, by the schemas and the annotations of
PyTorch 2.13, as a JSON object:

    python record_torch_signatures.py > ../src/systems/torch/bindings/signatures.json

Of each name its forms, one behind the other with `;` between them: the parameters, a type and a name each. Behind
`*` they are given by name alone; `=` stands behind one that may be left out, `?` behind a type that may be None, `1`
behind a list for which one number may stand. Functions of torch.nn.functional that torch has not are named `F.…`: those
in Python have the form of their annotations, where `B` is a truth value. What else is written in Python, and what takes a
form that no schema has, is left out: nothing is known of it.
"""
import collections
import inspect
import json
import re

import torch
import torch.nn.functional as F

TYPES = {"Tensor": "T", "Tensor[]": "L", "int": "i", "SymInt": "i", "float": "f", "bool": "b", "Scalar": "s", "str": "S", "ScalarType": "D"}
# Their own parsers take more than their schemas.
OWN = """size stride to type new item tolist numpy requires_grad_ contiguous copy_ dim element_size is_contiguous ndimension
nelement storage_offset cpu cuda record_stream data_ptr float double half bfloat16 int long short byte char bool index_put
addmm addbmm baddbmm addmv addr addcmul addcdiv sspaddmm as_tensor tensor from_numpy asarray zeros ones full empty rand randn
randint randperm arange range linspace logspace scalar_tensor nonzero apply_ map_ has_names view set_ quantize normal""".split()

# Forms that are Python's own.
WRITTEN = {
    "split": "m T input,i split_size,i dim=;T input,I split_size,i dim=",
    "norm": "m T input,_ p=,I1? dim=,b keepdim=,D? dtype=",
    "full": "f I size,s fill_value,*,D? dtype=,_ layout=,_ device=,b pin_memory=,b requires_grad=,_ names=",
    "F.normalize": "f T input,_ p=,i dim=,f eps=,T? out=",
    "view": "m T input,I shape;T input,D dtype",
}
for maker in "zeros ones empty rand randn".split():
    WRITTEN[maker] = "f I size,*,D? dtype=,_ layout=,_ device=,b pin_memory=,b requires_grad=,_ names=,_ generator=,_ memory_format="

# Of torch.nn.functional: annotations that are narrower than what is taken.
LOOSE = "interpolate upsample affine_grid lp_pool1d lp_pool2d lp_pool3d multi_head_attention_forward scaled_grouped_mm scaled_mm".split()
ANNOTATED = {"torch.Tensor": "T", "int": "i", "float": "f", "bool": "B", "str": "S", "list[int]": "I"}


def parameter(argument):
    kind = str(argument.type)
    is_optional = kind.startswith("Optional[")
    kind = kind[9:-1] if is_optional else kind
    listed = re.fullmatch(r"List\[(int|float|bool|SymInt|Tensor|number)\]", kind)
    if kind == "number": kind = "Scalar"
    if listed:
        code = {"int": "I", "SymInt": "I", "Tensor": "L"}.get(listed[1], "_")
        code += "1" if argument.N and code == "I" else ""
    else: code = TYPES.get(kind, "_")
    return code + ("?" if is_optional else "")


def form(schema):
    """The parameters of a form; None for one that calls by Python do not have."""
    if any(argument.is_out for argument in schema.arguments): return None
    words, is_named = [], False
    for argument in schema.arguments:
        if argument.kwarg_only and not is_named:
            words.append("*")
            is_named = True
        code, name = parameter(argument), "input" if argument.name == "self" else argument.name
        if argument.real_type is not None and "ScalarType" in str(argument.real_type) or argument.name == "dtype": code = "D" + ("?" if code.endswith("?") else "")
        words.append(f"{code} {name}" + ("=" if argument.has_default_value() else ""))
    return ",".join(words)


def main():
    schemas = collections.defaultdict(list)
    for schema in torch._C._jit_get_all_schemas():
        if schema.name.startswith("aten::"): schemas[schema.name[6:]].append(schema)
    found = {}
    for name in sorted(schemas):
        if name.startswith("_") or name in OWN: continue
        function = getattr(torch, name, None)
        method = getattr(torch.Tensor, name, None)
        is_function = type(function).__name__ == "builtin_function_or_method"
        is_method = type(method).__name__ == "method_descriptor"
        if not is_function and not is_method: continue
        forms = []
        for schema in schemas[name]:
            text = form(schema)
            first = str(schema.arguments[0].type) if schema.arguments else ""
            # Forms for lists, texts and enumerations of TorchScript are none of Python's.
            names = [argument.name for argument in schema.arguments]
            if text is None or first.startswith("List[") and ("Tensor" not in first or names[0] in ("self", "a")) or names[:1] == ["a"] or first in ("str", "int", "float", "number", "bool", "t", "complex"): continue
            if re.search(r"\bDimname\b", str(schema)) or "Stream" in str(schema): continue
            if text not in forms: forms.append(text)
        if forms: found[name] = ("f" if is_function else "") + ("m" if is_method else "") + " " + ";".join(forms)
    print(json.dumps({**found, **functional(schemas), **WRITTEN}, indent=0))


def functional(schemas):
    """The functions of torch.nn.functional that torch has not, or that are written in Python."""
    found = {}
    for name in sorted(dir(F)):
        function = getattr(F, name)
        if name.startswith("_") or name in LOOSE or "torch_function" in name or name.startswith("assert_"): continue
        if type(function).__name__ == "builtin_function_or_method":
            forms = [] if hasattr(torch, name) else [form(schema) for schema in schemas[name]]
            forms = [each for each in forms if each is not None]
            if forms: found[f"F.{name}"] = "f " + ";".join(forms)
        elif inspect.isfunction(function) and function.__module__ == "torch.nn.functional":
            text = annotated(function)
            if text is not None: found[f"F.{name}"] = f"f {text}"
    return found


def annotated(function):
    """The form of a function in Python by its annotations; None of one that has none."""
    words, is_named = [], False
    for argument in inspect.signature(function).parameters.values():
        if argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD): return None
        if argument.kind == argument.KEYWORD_ONLY and not is_named:
            words.append("*")
            is_named = True
        kind = inspect.formatannotation(argument.annotation)
        code = "D" if argument.name == "dtype" else ANNOTATED.get(kind.removesuffix(" | None"), "_")
        takes_none = "?" if kind.endswith(" | None") and code not in "_B" else ""
        words.append(f"{code}{takes_none} {argument.name}{'' if argument.default is argument.empty else '='}")
    return ",".join(words)


if __name__ == "__main__":
    main()
