// What the constructors of `torch.optim` refuse in PyTorch 2.13.

import { itemsOf, numberOf, textOf } from "#language/document/bindings/values";
import type { TracedTensor } from "#language/document/trace";
import type { Argument, Value } from "#language/python";
import { optimizerParameters } from "./optimizer-parameters.ts";
import { numberFault } from "./rate-faults.ts";

export type Fault = readonly [kind: string, message: string];

/** The parameters that an optimizer is given, by group; all of them are known. */
export type Groups = readonly (readonly TracedTensor[])[];

/** Why an optimizer does not take its settings. */
export function settingsFault(name: string, args: readonly Argument[]): Fault | undefined {
  const names = optimizerParameters(name);
  if (names === undefined) return undefined;
  const other = args.find((each) => each.name !== undefined && !names.includes(each.name));
  if (other !== undefined) {
    const message = `${name}.__init__() got an unexpected keyword argument '${other.name}'`;
    return ["TypeError", message];
  }
  const of = (wanted: string) =>
    args.find((each, at) => (each.name ?? names[at]) === wanted)?.value;
  const number = numberFault(name, of);
  if (number !== undefined) return number;
  const nesterov = of("nesterov");
  if (name !== "SGD" || nesterov?.kind !== "bool" || !nesterov.value) return undefined;
  const [momentum, dampening] = ["momentum", "dampening"].map((each) => of(each));
  const isPlain = momentum === undefined || numberOf(momentum) === 0;
  const isDamped = dampening !== undefined && (numberOf(dampening) ?? 0) !== 0;
  return isPlain || isDamped
    ? ["ValueError", "Nesterov momentum requires a momentum and zero dampening"]
    : undefined;
}

/** Why a value is no group of parameters. */
export function groupFault(
  { tensorOf }: { readonly tensorOf: (value: Value) => TracedTensor | undefined },
  group: Value,
): Fault | undefined {
  if (["list", "tuple", "int", "float", "str", "none"].includes(group.kind) || tensorOf(group))
    return ["TypeError", `param_group must be a dict, but got ${group.kind}`];
  if (group.kind !== "dict") return undefined;
  const params = [...group.entries.values()].find(({ key }) => textOf(key) === "params")?.value;
  if (params === undefined) return ["KeyError", "params"];
  if (params.kind === "set")
    return ["TypeError", "optimizer parameters need to be organized in ordered collections"];
  const other = itemsOf(params)?.find(({ kind }) => ["str", "int", "float"].includes(kind));
  if (other === undefined) return undefined;
  const message = `optimizer can only optimize Tensors, but one of the params is ${other.kind}`;
  return ["TypeError", message];
}

/** Why values are no parameters: one is a row of them, or a module that has some. */
export function strangersFault(given: Value | undefined): Fault | undefined {
  const isRow = ({ kind }: Value) =>
    /^(?:list|tuple|iterator|generator|str|int|float)$/u.test(kind);
  const items = itemsOf(given) ?? [];
  // A parameter may stand behind its name.
  const other = items.find(
    (each) => isRow(each) && !(each.kind === "tuple" && each.items.length === 2),
  );
  if (other === undefined || items.some(({ kind }) => kind === "dict")) return undefined;
  const message = `optimizer can only optimize Tensors, but one of the params is ${other.kind}`;
  return ["TypeError", message];
}

/** Why an optimizer does not take its parameters. */
export function parametersFault(
  groups: Groups,
  isMade: (tensor: TracedTensor) => boolean,
): Fault | undefined {
  if (groups.length === 0) return ["ValueError", "optimizer got an empty parameter list"];
  const seen = new Set<TracedTensor>();
  for (const group of groups) {
    if (group.some(isMade)) return ["ValueError", "can't optimize a non-leaf Tensor"];
    if (group.some((each) => seen.has(each)))
      return ["ValueError", "some parameters appear in more than one parameter group"];
    for (const each of group) seen.add(each);
  }
  return undefined;
}
