import { type CodeInput, type WrittenFile, writtenFile } from "#systems/arrays";
import {
  inOrder,
  meshText,
  type PlanRests,
  pathFunction,
  planRests,
  type RuleClaims,
  rulesFor,
  tableLines,
} from "./plan-rests.ts";

/**
 * Writes a plan as rules for a parameter tree: regular expressions over dotted paths with a
 * `PartitionSpec` each, and the constraints on activations inside `jit` (engine-jax.md §4). XLA
 * chooses the collectives.
 */
export function writeRules(input: CodeInput): WrittenFile<RuleClaims> {
  return writtenFile(() => {
    const rests = planRests(input);
    return { text: fileText(rests), claims: rests.claims };
  });
}

/** `P("dp", None)`; several axes of one dim are outermost first. */
function specOf(axes: readonly (readonly string[])[]): string {
  const entries = axes.map((names) => {
    const [first, ...others] = names.map((name) => `"${name}"`);
    if (first === undefined) return "None";
    return others.length === 0 ? first : `(${[first, ...others].join(", ")})`;
  });
  const last = entries.findLastIndex((entry) => entry !== "None");
  return `P(${entries.slice(0, last + 1).join(", ")})`;
}

function fileText(rests: PlanRests): string {
  const { atoms, activations, claims } = rests;
  const rules = rulesFor(rests, ({ axes }, form) => specOf(inOrder(axes, form)));
  return `"""How the parameters of a model lie on ${claims.devices} devices, for jit: XLA chooses the collectives.

    params = jax.device_put(params, shardings(make_mesh(), params))

Dims are those of the text; where Flax has a name of its own for a parameter, as kernel, they are Flax's.
"""
import re

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

RULES = (  # by dotted path in the parameter tree
${tableLines(rules, ({ pattern, said }) => `(r"${pattern}", ${said})`)})
ACTIVATIONS = {  # by name in the text: inputs, and results that the plan moves
${tableLines(activations, ({ name, axes }) => `"${name}": ${specOf(axes)}`)}}


def make_mesh():
    return ${meshText(atoms)}


${pathFunction}

def spec_of(path):
    for rule, spec in RULES:
        if re.fullmatch(r"(?:params\\.)?" + rule, path):
            return spec
    raise LookupError(f"no rule says how {path} lies")


def shardings(mesh, tree):
    return jax.tree_util.tree_map_with_path(lambda path, _: NamedSharding(mesh, spec_of(path_text(path))), tree)


def constrain(mesh, name, x):
    return jax.lax.with_sharding_constraint(x, NamedSharding(mesh, ACTIVATIONS[name]))
`;
}
