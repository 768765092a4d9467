"""What functions of torch and methods of tensors take, by the schemas of PyTorch 2.13, as a JSON object:

    python record_torch_signatures.py > ../src/systems/torch/bindings/signatures.json

Of each name its forms, one behind the other with `;` between them: the parameters, a type and a name each. Behind
`*` they are given by name alone; `=` stands behind one that may be left out, `?` behind a type that may be None, `1`
behind a list for which one number may stand. What is written in Python, and what takes a form that no schema has, is
left out: nothing is known of it.
"""
import collections
import json
import re

import torch

TYPES = {"Tensor": "T", "Tensor[]": "L", "int": "i", "SymInt": "i", "float": "f", "bool": "b", "Scalar": "s", "str": "S", "ScalarType": "D"}
# Their own parsers take more than their schemas.
OWN = """size stride to type new item tolist numpy requires_grad_ contiguous copy_ dim element_size is_contiguous ndimension
nelement storage_offset cpu cuda record_stream data_ptr float double half bfloat16 int long short byte char bool index_put
addmm addbmm baddbmm addmv addr addcmul addcdiv sspaddmm as_tensor tensor from_numpy asarray zeros ones full empty rand randn
randint randperm arange range linspace logspace eye scalar_tensor nonzero max min apply_ map_ has_names view set_ quantize""".split()


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
            # Forms for lists and texts of TorchScript are none of Python's.
            if text is None or first.startswith("List[") and "Tensor" not in first or first in ("str", "int", "float", "number", "bool", "t", "complex"): continue
            if re.search(r"\bDimname\b", str(schema)) or "Stream" in str(schema): continue
            if text not in forms: forms.append(text)
        if forms: found[name] = ("f" if is_function else "") + ("m" if is_method else "") + " " + ";".join(forms)
    print(json.dumps(found, indent=0))


if __name__ == "__main__":
    main()
