import { product } from "#core/arithmetic";
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
} from "#systems/arrays";
import { tuple } from "#systems/arrays/python";
import { type ParameterForm, parameterForms } from "./flax-forms.ts";

/** Claims to check in a run: where arrays lie under the rules. */
export interface RuleClaims {
  readonly devices: number;
  /** By parameter: its path in the text, and the range of every dim by device id. */
  readonly parameters: Readonly<
    Record<string, { readonly path: string; readonly ranges: readonly (readonly number[])[][] }>
  >;
}

/** A tensor covered by rules, with the mesh axes of each dim, outermost first. */
export interface Held {
  /** Its dotted name in the text; `layers.*.up` for equal layers with equal layouts. */
  readonly name: string;
  readonly tensor: Tensor;
  readonly axes: readonly (readonly string[])[];
}

/** The part of a plan that rules of a parameter tree can express. */
export interface PlanRests {
  readonly atoms: MeshAtoms;
  readonly modules: TextModules | undefined;
  readonly parameters: readonly Held[];
  /** Inputs, and results that the plan redistributes. */
  readonly activations: readonly Held[];
  readonly claims: RuleClaims;
}

/**
 * Layouts of parameters and inputs at rest, and of redistributed results.
 *
 * @throws NotWritten when no rule expresses them
 */
export function planRests({ program, textModules }: CodeInput): PlanRests {
  const atoms = meshAtoms(meshOf(program), meshPartsOf(program));
  if (atoms.names.length === 0) throw new NotWritten("its mesh has no axis");
  const tensors = program.graph.tensors.filter(
    ({ role, producer }) => role === "parameter" && producer === undefined,
  );
  if (tensors.length === 0) throw new NotWritten("it has no parameters");
  const layouts = new Map(program.values.map(({ id, layout }) => [id, layout]));
  const restOf = ({ id, name }: Tensor): Layout => {
    const value = program.made.get(id);
    const layout = value && layouts.get(value);
    if (layout === undefined) throw new NotWritten(`nobody holds ${name}`);
    return layout;
  };
  const held = (tensor: Tensor): Held => ({
    name: dotted(tensor.name),
    tensor,
    axes: axesOf(restOf(tensor), atoms),
  });
  const read = textModules?.();
  const modules = typeof read === "string" ? undefined : read;
  const claimed = tensors.map((tensor): [string, RuleClaims["parameters"][string]] => {
    const slices = slicesOf(restOf(tensor), tensor.shape);
    const ranges = slices.map((slice) => slice.ranges.map(({ start, stop }) => [start, stop]));
    return [tensor.name, { path: dotted(tensor.name), ranges }];
  });
  return {
    atoms,
    modules,
    parameters: tensors.map(held),
    activations: heldTo(program, atoms, held),
    claims: { devices: program.devices.length, parameters: Object.fromEntries(claimed) },
  };
}

function dotted(name: string): string {
  return name.replace(/\[(\d+)\]/g, ".$1").replace(/^\./u, "");
}

/**
 * Mesh axes that cut each dim, outermost first.
 *
 * @throws NotWritten for layouts that no rule expresses
 */
function axesOf({ dims, partials }: Layout, atoms: MeshAtoms): Held["axes"] {
  if (partials.length > 0) throw new NotWritten("a partial sum has no PartitionSpec");
  return dims.map(({ parts, sizes }) => {
    if (sizes !== undefined || parts.some((part) => part.kind === "pieces" && part.count > 1))
      throw new NotWritten("blocks that a PartitionSpec does not have");
    return atoms.axesOf(parts);
  });
}

/**
 * Tensors that get a constraint inside `jit`: inputs, and redistributed results in their final
 * layouts.
 */
function heldTo(
  program: SpmdProgram,
  atoms: MeshAtoms,
  rest: (tensor: Tensor) => Held,
): readonly Held[] {
  const values = new Map(program.values.map((value) => [value.id, value]));
  const tensors = new Map(program.graph.tensors.map((tensor) => [tensor.id, tensor]));
  const held = new Map<string, Held>();
  for (const tensor of tensors.values())
    if (tensor.role === "input" && tensor.shape.length > 0) held.set(tensor.id, rest(tensor));
  for (const step of flatSteps(program)) {
    if (step.kind !== "collective" || step.phase !== "forward") continue;
    const value = values.get(step.output);
    const tensor = value && tensors.get(value.tensor);
    const isOnItsWay = value?.layout.partials.length !== 0;
    if (tensor?.role === "activation" && value !== undefined && !isOnItsWay)
      held.set(tensor.id, { name: dotted(tensor.name), tensor, axes: axesOf(value.layout, atoms) });
  }
  return joinedLayers([...held.values()]);
}

/** Merges equal layers with equal layouts under one name; others keep their own. */
function joinedLayers(all: readonly Held[]): readonly Held[] {
  const general = (name: string) => name.replace(/\.\d+\./gu, ".*.");
  const groups = new Map<string, Held[]>();
  for (const each of all) {
    const name = general(each.name);
    groups.set(name, [...(groups.get(name) ?? []), each]);
  }
  return [...groups].flatMap(([name, group]) => {
    const [first, ...others] = group;
    const isAlike = others.every(({ axes }) => axes.join("|") === first?.axes.join("|"));
    return first !== undefined && isAlike ? [{ ...first, name }] : group;
  });
}

/** A rule: a regular expression over dotted paths, and the sharding of matching parameters. */
export interface Rule {
  readonly pattern: string;
  readonly said: string;
}

/** A parameter's dims in the order of one of its forms. */
export function inOrder<T>(dims: readonly T[], { order }: ParameterForm): readonly T[] {
  return order === undefined
    ? dims
    : order.flatMap((dim) => {
        const own = dims[dim];
        return own === undefined ? [] : [own];
      });
}

/** Rules for all parameters under each of their names; equal layers share a rule. */
export function rulesFor(
  { parameters, modules }: PlanRests,
  say: (held: Held, form: ParameterForm) => string,
): readonly Rule[] {
  const found = new Map<string, Map<string, Rule[]>>();
  for (const held of parameters) {
    for (const form of parameterForms(held.tensor, held.name, modules)) {
      const said = say(held, form);
      const general = patternOf(form, true);
      const bySaid = found.get(general) ?? new Map<string, Rule[]>();
      bySaid.set(said, [...(bySaid.get(said) ?? []), { pattern: patternOf(form, false), said }]);
      found.set(general, bySaid);
    }
  }
  return [...found].flatMap(([pattern, bySaid]) => {
    const [said, ...others] = bySaid.keys();
    const isOne = said !== undefined && others.length === 0;
    return isOne ? [{ pattern, said }] : [...bySaid.values()].flat();
  });
}

/** A path as a regular expression; list indices follow a dot or `_`. */
function patternOf({ path }: ParameterForm, isGeneral: boolean): string {
  const parts = path.split(".").map((part) => ({ part, isIndex: /^\d+$/u.test(part) }));
  return parts.reduce((text, { part, isIndex }, at) => {
    const own = isIndex && isGeneral ? "\\d+" : part.replace(/[^\w]/gu, "\\$&");
    if (at === 0) return own;
    return `${text}${isIndex ? "[._]" : "\\."}${own}`;
  }, "");
}

/** `Mesh(…)` of `jax.sharding` over a plan's devices. */
export function meshText({ names, sizes, order }: MeshAtoms): string {
  const count = product(sizes);
  const axes = tuple(names.map((name) => `"${name}"`));
  const devices =
    order === undefined
      ? `np.array(jax.devices()[:${count}])`
      : `np.array([jax.devices()[at] for at in [${order.join(", ")}]])`;
  return `Mesh(${devices}.reshape(${tuple(sizes)}), ${axes})`;
}

/** Lines of a table in the file. */
export function tableLines<T>(all: readonly T[], line: (each: T) => string): string {
  return all.map((each) => `    ${line(each)},\n`).join("");
}

/** The Python function that gives the dotted path of a leaf of a tree. */
export const pathFunction = `def path_text(path):
    return ".".join(str(getattr(key, "key", getattr(key, "idx", getattr(key, "name", key)))) for key in path)
`;
