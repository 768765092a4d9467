// What the constructors of `torch.optim` refuse in PyTorch 2.13.

import { fieldOf } from "#core/records";
import { itemsOf, numberOf, textOf } from "#language/document/bindings/values";
import type { TracedTensor } from "#language/document/trace";
import type { Argument, Value } from "#language/python";
import { optimizerParameters } from "./optimizer-parameters.ts";

type Fault = readonly [kind: string, message: string];

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
  if (of("lr")?.kind === "str")
    return ["TypeError", "'<=' not supported between instances of 'float' and 'str'"];
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

/** What schedulers of rates are not made without, behind the optimizer. */
const needed: Readonly<Record<string, readonly string[]>> = {
  StepLR: ["step_size"],
  MultiStepLR: ["milestones"],
  ExponentialLR: ["gamma"],
  CosineAnnealingLR: ["T_max"],
  CosineAnnealingWarmRestarts: ["T_0"],
  LambdaLR: ["lr_lambda"],
  MultiplicativeLR: ["lr_lambda"],
  OneCycleLR: ["max_lr"],
  CyclicLR: ["base_lr", "max_lr"],
  SequentialLR: ["schedulers", "milestones"],
};

/** The scheduler of a path of torch, where it is not made without more than the optimizer. */
export function schedulerName(path: string): string | undefined {
  const name = /^torch\.optim\.lr_scheduler\.(\w+)$/u.exec(path)?.[1];
  return name !== undefined && Object.hasOwn(needed, name) ? name : undefined;
}

/** The type of a value that never is an optimizer. */
function strangerOf(value: Value): string | undefined {
  if (["int", "float", "str", "list", "tuple", "dict", "none"].includes(value.kind))
    return value.kind;
  const isModule =
    value.kind === "instance" && value.type.mro.some(({ name }) => name === "Module");
  return isModule ? value.type.name : undefined;
}

/** Why a scheduler of rates cannot be made. */
export function schedulerFault(name: string, args: readonly Argument[]): Fault | undefined {
  const [first] = args.filter((each) => each.name === undefined || each.name === "optimizer");
  const stranger = first && strangerOf(first.value);
  if (stranger !== undefined) return ["TypeError", `${stranger} is not an Optimizer`];
  const names = ["optimizer", ...(fieldOf(needed, name) ?? [])];
  const placed = args.filter((each) => each.name === undefined).length;
  const missing = names.find(
    (each, at) => at >= placed && !args.some((given) => given.name === each),
  );
  if (missing !== undefined) {
    const message = `${name}.__init__() missing 1 required positional argument: '${missing}'`;
    return ["TypeError", message];
  }
  const says = (word: string) => args.some((each) => each.name === word);
  const isOpen = name === "OneCycleLR" && placed < 3 && !says("total_steps");
  return isOpen && !(says("epochs") && says("steps_per_epoch"))
    ? ["ValueError", "You must define either total_steps OR (epochs AND steps_per_epoch)"]
    : undefined;
}
