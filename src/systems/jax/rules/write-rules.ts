import type { Tensor } from "#core/ir";
import { type Layout, slicesOf } from "#core/mesh";
import { flatSteps, type SpmdProgram } from "#core/program";
import {
  type CodeInput,
  type MeshAtoms,
  meshAtoms,
  meshOf,
  meshPartsOf,
  NotWritten,
  type TextModules,
  type WrittenFile,
  writtenFile,
} from "#systems/arrays";
import { tuple } from "#systems/arrays/python";
import { type ParameterForm, parameterForms } from "./flax-forms.ts";

/** What must be found where arrays lie by the rules. */
export interface RuleClaims {
  readonly devices: number;
  /** By parameter its path in the text, and by device id the range of every dim. */
  readonly parameters: Readonly<
    Record<string, { readonly path: string; readonly ranges: readonly (readonly number[])[][] }>
  >;
}

/** A rule: a regular expression over dotted paths, and how what it fits lies. */
interface Rule {
  readonly pattern: string;
  readonly spec: string;
}

/**
 * Writes a plan as rules for a parameter tree: regular expressions over dotted paths with a
 * `PartitionSpec` each, and what activations are held to inside `jit` (engine-jax.md §4). XLA chooses
 * the collectives.
 */
export function writeRules({ program, textModules }: CodeInput): WrittenFile<RuleClaims> {
  return writtenFile(() => {
    const atoms = meshAtoms(meshOf(program), meshPartsOf(program));
    if (atoms.names.length === 0) throw new NotWritten("its mesh has no axis");
    const parameters = program.graph.tensors.filter(
      ({ role, producer }) => role === "parameter" && producer === undefined,
    );
    if (parameters.length === 0) throw new NotWritten("it has no parameters");
    const layouts = new Map(program.values.map(({ id, layout }) => [id, layout]));
    const restOf = ({ id, name }: Tensor): Layout => {
      const value = program.made.get(id);
      const layout = value && layouts.get(value);
      if (layout === undefined) throw new NotWritten(`nobody holds ${name}`);
      return layout;
    };
    const read = textModules?.();
    const modules = typeof read === "string" ? undefined : read;
    const rules = rulesFor(parameters, restOf, { atoms, modules });
    const held = heldTo(program, atoms, restOf);
    const claimed = parameters.map((tensor): [string, RuleClaims["parameters"][string]] => {
      const slices = slicesOf(restOf(tensor), tensor.shape);
      const ranges = slices.map((slice) => slice.ranges.map(({ start, stop }) => [start, stop]));
      return [tensor.name, { path: dotted(tensor.name), ranges }];
    });
    const claims = { devices: program.devices.length, parameters: Object.fromEntries(claimed) };
    return { text: fileText(atoms, rules, held), claims };
  });
}

function dotted(name: string): string {
  return name.replace(/\[(\d+)\]/g, ".$1").replace(/^\./u, "");
}

/** `P("dp", None)`; several axes of one dim are outermost first. */
function specOf({ dims, partials }: Layout, atoms: MeshAtoms, order?: readonly number[]): string {
  if (partials.length > 0) throw new NotWritten("a partial sum has no PartitionSpec");
  const entries = dims.map(({ parts, sizes }) => {
    if (sizes !== undefined || parts.some((part) => part.kind === "pieces" && part.count > 1))
      throw new NotWritten("blocks that a PartitionSpec does not have");
    const names = atoms.axesOf(parts).map((name) => `"${name}"`);
    if (names.length === 0) return "None";
    return names.length === 1 ? (names[0] ?? "None") : `(${names.join(", ")})`;
  });
  const turned = order === undefined ? entries : order.map((dim) => entries[dim] ?? "None");
  const last = turned.findLastIndex((entry) => entry !== "None");
  return `P(${turned.slice(0, last + 1).join(", ")})`;
}

interface RuleWords {
  readonly atoms: MeshAtoms;
  readonly modules: TextModules | undefined;
}

/** Rules of all parameters, those of equal layers as one. */
function rulesFor(
  parameters: readonly Tensor[],
  restOf: (tensor: Tensor) => Layout,
  { atoms, modules }: RuleWords,
): readonly Rule[] {
  const found = new Map<string, Map<string, Rule[]>>();
  for (const tensor of parameters) {
    for (const form of parameterForms(tensor, dotted(tensor.name), modules)) {
      const spec = specOf(restOf(tensor), atoms, form.order);
      const general = patternOf(form, true);
      const own = { pattern: patternOf(form, false), spec };
      const bySpec = found.get(general) ?? new Map<string, Rule[]>();
      bySpec.set(spec, [...(bySpec.get(spec) ?? []), own]);
      found.set(general, bySpec);
    }
  }
  return [...found].flatMap(([pattern, bySpec]) => {
    const [spec, ...others] = bySpec.keys();
    const isOne = spec !== undefined && others.length === 0;
    return isOne ? [{ pattern, spec }] : [...bySpec.values()].flat();
  });
}

/** A path as a regular expression; elements of lists follow their list with a dot, or with `_`. */
function patternOf({ path }: ParameterForm, isGeneral: boolean): string {
  const parts = path.split(".").map((part) => ({ part, isIndex: /^\d+$/u.test(part) }));
  return parts.reduce((text, { part, isIndex }, at) => {
    const own = isIndex && isGeneral ? "\\d+" : part.replace(/[^\w]/gu, "\\$&");
    if (at === 0) return own;
    return `${text}${isIndex ? "[._]" : "\\."}${own}`;
  }, "");
}

/** What inputs and results are held to inside `jit`, by name: those that the plan moves. */
function heldTo(
  program: SpmdProgram,
  atoms: MeshAtoms,
  restOf: (tensor: Tensor) => Layout,
): readonly Rule[] {
  const values = new Map(program.values.map((value) => [value.id, value]));
  const tensors = new Map(program.graph.tensors.map((tensor) => [tensor.id, tensor]));
  const held = new Map<string, Set<string>>();
  const note = (tensor: Tensor, layout: Layout) => {
    const name = dotted(tensor.name).replace(/\.\d+\./gu, ".*.");
    held.set(name, (held.get(name) ?? new Set()).add(specOf(layout, atoms)));
  };
  for (const tensor of tensors.values())
    if (tensor.role === "input" && tensor.shape.length > 0) note(tensor, restOf(tensor));
  for (const step of flatSteps(program)) {
    if (step.kind !== "collective" || step.phase !== "forward") continue;
    const value = values.get(step.output);
    const tensor = value && tensors.get(value.tensor);
    const isOnItsWay = value?.layout.partials.length !== 0;
    if (tensor?.role === "activation" && value !== undefined && !isOnItsWay)
      note(tensor, value.layout);
  }
  return [...held].flatMap(([pattern, specs]) =>
    [...specs].slice(-1).map((spec) => ({ pattern, spec })),
  );
}

function fileText(atoms: MeshAtoms, rules: readonly Rule[], held: readonly Rule[]): string {
  const { names, sizes, order } = atoms;
  const count = sizes.reduce((product, size) => product * size, 1);
  const axes = tuple(names.map((name) => `"${name}"`));
  const devices =
    order === undefined
      ? `np.array(jax.devices()[:${count}])`
      : `np.array([jax.devices()[at] for at in [${order.join(", ")}]])`;
  const lines = (all: readonly Rule[], line: (rule: Rule) => string) =>
    all.map((rule) => `    ${line(rule)},\n`).join("");
  return `"""How the parameters of a model lie on ${count} devices, for jit: XLA chooses the collectives.

    params = jax.device_put(params, shardings(make_mesh(), params))

Dims are those of the text; where Flax has a name of its own for a parameter, as kernel, they are Flax's.
"""
import re

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

RULES = (  # by dotted path in the parameter tree
${lines(rules, ({ pattern, spec }) => `(r"${pattern}", ${spec})`)})
ACTIVATIONS = {  # by name in the text: inputs, and results that the plan moves
${lines(held, ({ pattern, spec }) => `"${pattern}": ${spec}`)}}


def make_mesh():
    return Mesh(${devices}.reshape(${tuple(sizes)}), ${axes})


def path_text(path):
    return ".".join(str(getattr(key, "key", getattr(key, "idx", getattr(key, "name", key)))) for key in path)


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
