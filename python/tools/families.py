"""Writes the texts of the families that the board offers for a config.json.

    python python/tools/families.py [NAME…] [--entries] [--ends]

Each text is traced from the models of `transformers` at three small configurations and more for
every switch; what changes with the sizes is written as an expression over the configuration's keys.
With `--entries` texts are not traced again, and what the app is told of them is written anew; with
`--ends` only further classes of the texts that are there are traced, those that have none yet.
The text is run by torch at all of them with the models' own weights.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import transformers  # noqa: E402
from batches import own_batch  # noqa: E402
from ends import end_of  # noqa: E402
from family import CLOSE, Family, defaults_of, model_of, text_of  # noqa: E402
from further_families import FAMILIES  # noqa: E402
from holding import held  # noqa: E402
from merging import merged  # noqa: E402
from pooling_head import with_pooling_head  # noqa: E402

OUT = Path(__file__).resolve().parents[2] / "src" / "systems" / "families"


def entry(family: Family, names: list[str]) -> dict:
    """What the reader of a config.json is told: which configurations, and what stands for a missing key."""
    defaults = {key: value for key, value in defaults_of(family).items() if key in names}
    first = next(iter(family.published.values()))
    # A size that the text works out itself needs no usual value; where the first configuration says one, it does not.
    defaults.update({key: rule for key, rule in family.derived.items() if key in names and (rule.isidentifier() or key in first)})
    made = {"model_type": family.model_type, "architectures": family.architectures or [family.model], "text": f"{family.name}.py",
            "title": family.title, "defaults": {**defaults, **family.holds}}
    ends = OUT / "texts" / f"{family.name}.ends.py"
    if ends.exists():
        lines = ends.read_text()
        made["ends"] = {name: own for name, own in family.ends.items() if f": {own} of " in lines}
        further = re.findall(r"^(\w+) = (\d+)$", lines, re.M)
        made["defaults"] = {**{key: int(value) for key, value in further}, **made["defaults"]}
    if family.language:
        made["language"] = family.language
    if missing := missing_of(family, made["defaults"]):
        made["missing"] = missing
    if family.unread:
        made["unread"] = family.unread
    if family.repeats:
        made["repeats"] = family.repeats
    if family.every:
        made["every"] = family.every
    if family.places:
        made["places"] = family.places
    if family.optional:
        made["optional"] = family.optional
    if family.where:
        made["where"] = family.where
    if family.same:
        made["same"] = {next((path for path, name in family.nested.items() if name == key), key): other for key, other in family.same.items()}
    if family.inputs == "image":
        made["front"] = "mm_tokens_per_image"
    nested = {path: name for path, name in {**family.nested, **family.also}.items() if name in names}
    if nested:
        made["nested"] = nested
    return made


def missing_of(family: Family, usual: dict) -> dict:
    """The class's own value of keys of which the text has another, or works another out of sizes."""
    fields = getattr(getattr(transformers, family.config), "__dataclass_fields__", {})
    keys = [key for key in [*family.holds, *family.derived] if key in fields and key not in {**family.same, **family.where}]
    own = {**{key: fields[key].default for key in keys}, **family.missing}
    return {key: value for key, value in own.items() if isinstance(value, (bool, int, str)) and value != usual.get(key)}


def names_in(text: str) -> list[str]:
    """The sizes of a text that was written before."""
    return re.findall(r"^(\w+) = ", text.split("\nmesh = ")[0], re.M)


def imports(files: list[str]) -> str:
    """The module of the app that holds the texts."""
    named = {each: re.sub(r"[_.](\w)", lambda found: found[1].upper(), each[:-3]) for each in files}
    lines = [f'import {name} from "./texts/{each}?raw";' for each, name in sorted(named.items())]
    pairs = [f'["{each}", {name}]' for each, name in named.items()]
    return "\n".join(["// Made by python/tools/families.py.", *lines, "", "/** The texts of families by the names of their files. */",
                      f"export const familyTexts: ReadonlyMap<string, string> = new Map([{', '.join(pairs)}]);", ""])


def counted(family: Family, published: dict) -> int:
    """How many parameters the family's model has at a published configuration."""
    keys = {key: value for key, value in published.items() if key != "parameters"}
    return sum(weight.numel() for weight in model_of(family, keys, "meta").parameters())


def published(family: Family) -> list[dict]:
    """The configurations as published, each with its number of parameters, which is checked."""
    made = []
    for name, keys in family.published.items():
        count = counted(family, keys)
        if count != keys["parameters"]:
            raise ValueError(f"{name} has {count:,} parameters, not {keys['parameters']:,}")
        made.append({"text": f"{family.name}.py", "name": name, "parameters": count, "config": {key: value for key, value in keys.items() if key != "parameters"}})
    return made


def written(made: dict[str, dict], samples: dict[str, dict]) -> None:
    """Puts what was made beside what other runs made, in the order of the list."""
    index, sample = OUT / "families.json", OUT / "published.json"
    entries = {each["text"]: each for each in (json.loads(index.read_text()) if index.exists() else [])} | made
    known = {each["name"]: each for each in (json.loads(sample.read_text()) if sample.exists() else [])} | samples
    order = [f"{family.name}.py" for family in FAMILIES if f"{family.name}.py" in entries]
    index.write_text(json.dumps([entries[name] for name in order], indent=2) + "\n")
    (OUT / "texts.ts").write_text(imports([*order, *sorted(path.name for path in (OUT / "texts").glob("*.ends.py"))]))
    kept = [name for family in FAMILIES for name in family.published if name in known and f"{family.name}.py" in entries]
    sample.write_text(json.dumps([known[name] for name in kept], indent=2) + "\n")
    subprocess.run(["npx", "biome", "check", "--write", str(OUT)], check=True, cwd=OUT, stdout=subprocess.DEVNULL)


def with_ends(family: Family, path: Path) -> list[str]:
    """Writes the classes that a text has no end for yet; what could not be traced."""
    ends = path.with_suffix(".ends.py")
    known = re.split(r"\n(?=# )", ends.read_text()) if ends.exists() else []
    failed = []
    for name in dict.fromkeys(family.ends.values()):
        if any(f": {name} of " in each.split("\n")[0] for each in known):
            continue
        start = time.time()
        try:
            known.append(own_batch(end_of(family, name, path.read_text())))
            ends.write_text("\n".join(each.rstrip("\n") + "\n" for each in known))
            print(f"{name}: {time.time() - start:.0f} s", flush=True)
        except Exception as error:
            failed.append(f"{name}: {type(error).__name__}: {error}")
            print(failed[-1], flush=True)
    return failed


def main(wanted: list[str]) -> None:
    (OUT / "texts").mkdir(parents=True, exist_ok=True)
    made: dict[str, dict] = {}
    samples: dict[str, dict] = {}
    failed = []
    for family in FAMILIES:
        path = OUT / "texts" / f"{family.name}.py"
        if "--entries" in sys.argv:
            for each in (path, path.with_suffix(".ends.py")):
                if each.exists():
                    each.write_text(own_batch(each.read_text()))
            if path.exists():
                made[path.name] = entry(family, names_in(path.read_text()))
            continue
        if wanted and family.name not in wanted or "--ends" in sys.argv and not family.ends:
            continue
        start = time.time()
        if "--ends" in sys.argv:
            failed += with_ends(family, path)
            made[path.name] = entry(family, names_in(path.read_text()))
            continue
        try:
            body, names, apart = merged(family)
            if apart > CLOSE:
                raise ValueError(f"{family.name}: numbers differ by {apart:.1e} of the largest")
            text = text_of(family, body, names)
            others = held(family, text)
            if family.headed:
                text = with_pooling_head(text, OUT / "texts" / "siglip.py")
                names = names_in(text)
            ends = [own_batch(end_of(family, name, text)) for name in dict.fromkeys(family.ends.values())]
            samples.update({each["name"]: each for each in published(family)})
        except Exception as error:
            failed.append(f"{family.name}: {type(error).__name__}: {error}")
            print(failed[-1])
            if len(wanted) == 1:
                raise
            continue
        (OUT / "texts" / f"{family.name}.py").write_text(text)
        if ends:
            (OUT / "texts" / f"{family.name}.ends.py").write_text("\n".join(ends))
        made[f"{family.name}.py"] = entry(family, names)
        print(f"{family.name}: {text.count(chr(10))} lines, numbers within {apart:.1e}, held at {others} other sizes, {time.time() - start:.0f} s")
    written(made, samples)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main([arg for arg in sys.argv[1:] if not arg.startswith("--")])
