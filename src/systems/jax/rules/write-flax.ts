import { type CodeInput, type WrittenFile, writtenFile } from "#systems/arrays";
import { tuple } from "#systems/arrays/python";
import { type LogicalNames, logicalNames } from "./logical-names.ts";
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
 * Writes a plan for Flax: logical axis names by parameter and by activation, and rules from those
 * names to mesh axes (engine-jax.md §5). XLA chooses the collectives.
 */
export function writeFlax(input: CodeInput): WrittenFile<RuleClaims> {
  return writtenFile(() => {
    const rests = planRests(input);
    const names = logicalNames(rests, input.program.graph);
    const [note] = names.notes;
    return {
      text: fileText(rests, names),
      claims: rests.claims,
      ...(note !== undefined && { note: names.notes.join(" ") }),
    };
  });
}

function ruleText([name, axes]: LogicalNames["rules"][number]): string {
  const quoted = axes.map((axis) => `"${axis}"`);
  const [only = "None"] = quoted;
  return `("${name}", ${quoted.length > 1 ? tuple(quoted) : only})`;
}

function namesText(names: readonly (string | undefined)[]): string {
  return tuple(names.map((name) => (name === undefined ? "None" : `"${name}"`)));
}

function fileText(rests: PlanRests, names: LogicalNames): string {
  const { atoms, activations, claims } = rests;
  const parameters = rulesFor(rests, (held, form) => {
    const own = names.namesOf(held).map((name) => ({ name }));
    return namesText(inOrder(own, form).map(({ name }) => name));
  });
  const notes = names.notes.map((note) => `\n${note}`).join("");
  return `"""The logical axes of a model, and how they lie on ${claims.devices} devices: XLA chooses the collectives.

    nn.with_logical_partitioning(init, names)                      # Linen
    nnx.with_partitioning(init, names, sharding_rules=RULES)       # NNX, under jax.set_mesh(make_mesh())
    params = jax.device_put(params, shardings(make_mesh(), params))  # or by paths, beside any module
    x = constrain(mesh, "x", x)                                    # by its name in the text

where names are those of the parameter's path below. They are in the order of the text's dims; where Flax
has a name of its own for a parameter, as kernel, in the order of Flax.
${notes}
"""
import re

import flax.linen as nn
import jax
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

RULES = (  # from logical axes to axes of the mesh
${tableLines(names.rules, ruleText)})
PARAMETERS = (  # by dotted path in the parameter tree
${tableLines(parameters, ({ pattern, said }) => `(r"${pattern}", ${said})`)})
ACTIVATIONS = {  # by name in the text: inputs, and results that the plan moves
${tableLines(activations, (held) => `"${held.name}": ${namesText(names.namesOf(held))}`)}}


def make_mesh():
    return ${meshText(atoms)}


${pathFunction}

def names_of(path):
    for rule, names in PARAMETERS:
        if re.fullmatch(r"(?:params\\.)?" + rule, path):
            return names
    raise LookupError(f"no rule names the axes of {path}")


def shardings(mesh, tree):
    names = jax.tree_util.tree_map_with_path(lambda path, _: P(*names_of(path_text(path))), tree)
    return nn.logical_to_mesh_sharding(names, mesh, RULES)


def constrain(mesh, name, x):
    return nn.with_logical_constraint(x, ACTIVATIONS[name], rules=RULES, mesh=mesh)
`.replace('\n\n"""\nimport', '\n"""\nimport');
}
