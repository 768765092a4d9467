import type { Span } from "#core/diagnostics";
import type { Optimizer } from "#core/training";
import {
  assumedOf,
  assumedValue,
  numberWords,
  optimizerNumbers,
  type TensorBindings,
} from "#language/document/bindings";
import {
  bindArguments,
  hostFunction,
  itemsOf,
  none,
  passedOn,
  text,
  textOf,
} from "#language/document/bindings/values";
import type { Recorder, TracedTensor } from "#language/document/trace";
import { type Argument, type Context, dictOf, type Value } from "#language/python";
import { requiresGradient } from "../bindings/gradient-faults.ts";
import { ofClass, optimizerNames, scalerNames, schedulerNames } from "./known-names.ts";
import {
  type Groups,
  groupFault,
  parametersFault,
  settingsFault,
  strangersFault,
} from "./optimizer-faults.ts";
import { optimizerParameters } from "./optimizer-parameters.ts";
import type { TrainingRecord, Update } from "./record.ts";
import { schedulerFault } from "./schedulers.ts";

/** What optimizers are made with. */
export interface OptimizerParts {
  readonly recorder: Recorder;
  readonly tensors: TensorBindings;
  readonly record: TrainingRecord;
  /** An unknown value with given known members. */
  readonly assumed: (name: string, member: (name: string) => Value | undefined) => Value;
}

/** The optimizers that a step can be drawn with, and the order of their arguments behind `params`. */
const known: Readonly<Record<string, readonly [Optimizer, readonly string[]]>> = {
  SGD: ["sgd", ["lr", "momentum", "dampening", "weight_decay", "nesterov"]],
  Adam: ["adam", ["lr", "betas", "eps", "weight_decay"]],
  AdamW: ["adamw", ["lr", "betas", "eps", "weight_decay"]],
};

/** Classes of `torch.optim` whose objects update parameters in `step()`. */
const isOptimizer = /^torch\.optim\.(?!Optimizer$|lr_scheduler|swa_utils)[A-Z]\w*$/u;

/** An optimizer's class of `torch.optim` by its path; nothing of other paths. */
export function optimizerWord(parts: OptimizerParts, path: string): Value | undefined {
  if (!isOptimizer.test(path)) return undefined;
  const name = path.slice(path.lastIndexOf(".") + 1);
  return assumedValue(path, {
    isUnsaid: true,
    member: (wanted) => (wanted === "__signature__" ? signatureOf(name) : undefined),
    call: (_, args, context, span) => {
      const [first] = args;
      const groups = first && groupsIn(parts, first.value, context, span);
      requireMakeable(parts, [name, args, groups], context, span);
      const trained = groups && new Set(groups.flat().filter((each) => isTrained(parts, each)));
      const update = { name, ...told(name, args, context), trained };
      const itemOf = (params: Groups[number] | undefined, own?: Value) =>
        groupOf(parts, update, { args, params, own });
      const given = itemsOf(first?.value);
      const items = (groups ?? [undefined]).map((each, at) => itemOf(each, given?.[at]));
      const members: ReadonlyMap<string, Value> = new Map([
        ["step", stepOf(parts, update)],
        ["add_param_group", addingOf(parts, { groups, trained, items, itemOf })],
        ["param_groups", { kind: "list", items }],
      ]);
      const made = parts.assumed(`${path}()`, (member) => members.get(member));
      return ofClass(made, name, optimizerNames(name));
    },
    operate: () => undefined,
  });
}

/** `optimizer.add_param_group(group)`: further parameters, as the optimizer's first ones are taken. */
function addingOf(
  parts: OptimizerParts,
  held: {
    readonly groups: Groups | undefined;
    readonly trained: Set<TracedTensor> | undefined;
    readonly items: Value[];
    readonly itemOf: (params: Groups[number] | undefined, own?: Value) => Value;
  },
): Value {
  let all = held.groups;
  return hostFunction("add_param_group", ([given], context, span) => {
    const fault = given && groupFault(parts.tensors, given.value);
    if (fault !== undefined) return context.raise(...fault, span);
    const list: Value = { kind: "list", items: given === undefined ? [] : [given.value] };
    const added = groupsIn(parts, list, context, span);
    all = all && added && [...all, ...added];
    const shared = all && span.from >= 0 ? parametersFault(all, isMadeOf(parts)) : undefined;
    if (shared !== undefined) return context.raise(...shared, span);
    for (const each of added?.flat() ?? []) if (isTrained(parts, each)) held.trained?.add(each);
    for (const each of added ?? [undefined]) held.items.push(held.itemOf(each, given?.value));
    return none;
  });
}

/** What `inspect.signature` says of an optimizer: the names of its parameters. */
function signatureOf(name: string): Value | undefined {
  const names = optimizerParameters(name);
  return names && { kind: "list", items: names.map(text) };
}

/** Raises for parameters and settings of which PyTorch makes no optimizer. */
function requireMakeable(
  { tensors }: OptimizerParts,
  [name, args, groups]: readonly [string, readonly Argument[], Groups | undefined],
  context: Context,
  span: Span,
): void {
  if (span.from < 0) return;
  const isLone = tensors.tensorOf(args[0]?.value) !== undefined;
  const fault = isLone
    ? (["TypeError", "params argument given to the optimizer should be an iterable"] as const)
    : (settingsFault(name, args) ?? strangersFault(args[0]?.value));
  const found = fault ?? (groups && parametersFault(groups, isMadeOf({ tensors })));
  if (found !== undefined) context.raise(...found, span);
}

/** Whether a tensor with a gradient was made of others. */
function isMadeOf({ tensors }: Pick<OptimizerParts, "tensors">) {
  return (each: TracedTensor) =>
    each.producer !== undefined &&
    each.isCastParameter !== true &&
    requiresGradient(tensors, each) === true;
}

/** Whether a parameter is not frozen. */
function isTrained({ tensors }: OptimizerParts, tensor: TracedTensor): boolean {
  const asked = tensors.extra(tensors.object(tensor), "requires_grad");
  return asked?.kind !== "bool" || asked.value;
}

/** The parameters that an optimizer is given, by group; `undefined` if one is unknown. */
function groupsIn(
  { tensors }: OptimizerParts,
  given: Value,
  context: Context,
  span: Span,
): Groups | undefined {
  const each = (values: Value): readonly Value[] | undefined => {
    if (assumedOf(values) !== undefined) return undefined;
    return tensors.tensorOf(values) === undefined ? context.iterate(values, span) : [values];
  };
  // A parameter may stand behind its name.
  const one = (value: Value): TracedTensor | undefined =>
    tensors.tensorOf(value.kind === "tuple" ? value.items[1] : value);
  const all = (values: readonly Value[] | undefined): readonly TracedTensor[] | undefined => {
    const found = values?.map(one);
    return found?.every((tensor) => tensor !== undefined) ? found : undefined;
  };
  const values = each(given);
  if (values === undefined || values.length === 0) return values && [];
  if (!values.every((value) => value.kind === "dict")) {
    const alone = all(values);
    return alone && [alone];
  }
  // A group is a dict with its parameters.
  const groups = values.map((value) => {
    const params = entryOf(value, "params");
    return params && all(each(params));
  });
  return groups.every((group) => group !== undefined) ? groups : undefined;
}

/** What a dict has under a text. */
function entryOf(value: Value | undefined, name: string): Value | undefined {
  const entries = value?.kind === "dict" ? [...value.entries.values()] : [];
  return entries.find(({ key }) => textOf(key) === name)?.value;
}

/** A scheduler of rates, which is not made without what it needs. */
export function schedulerWord(path: string, other: (path: string) => Value): Value | undefined {
  const name = path.slice(path.lastIndexOf(".") + 1);
  const names = path === `torch.optim.lr_scheduler.${name}` ? schedulerNames(name) : undefined;
  if (names === undefined) return undefined;
  return assumedValue(path, {
    isUnsaid: true,
    member: () => undefined,
    call: (_, args, context, span) => {
      const fault = span.from < 0 ? undefined : schedulerFault(name, args);
      if (fault !== undefined) return context.raise(...fault, span);
      return ofClass(context.call(other(path), args, span), name, names);
    },
    operate: () => undefined,
  });
}

/** A group of an optimizer: its parameters, and the settings as far as the text gives them to all. */
function groupOf(
  { tensors, assumed }: OptimizerParts,
  { name, numbers, kind }: Pick<Update, "name" | "numbers" | "kind">,
  group: {
    readonly args: readonly Argument[];
    readonly params: Groups[number] | undefined;
    /** What the text gives as the group: a dict with settings of its own, or a parameter. */
    readonly own: Value | undefined;
  },
): Value {
  const { args, params, own } = group;
  const names = optimizerParameters(name) ?? [];
  const unknown = (each: string) => assumed(`${name}.param_groups["${each}"]`, () => undefined);
  const given = (wanted: string) =>
    entryOf(own, wanted) ?? args.find((each, at) => (each.name ?? names[at]) === wanted)?.value;
  const usual = (each: string): Value =>
    each === "lr" && kind !== undefined
      ? { kind: "float", value: numbers.lr ?? 1e-3 }
      : unknown(each);
  const settings = names.slice(1).map((each) => [each, given(each) ?? usual(each)] as const);
  const items = params?.map((each) => tensors.object(each));
  const held: Value = items === undefined ? unknown("params") : { kind: "list", items };
  return dictOf([["params", held], ...settings]);
}

/** What draws an optimizer, and its numbers as far as the text says them. */
function told(
  name: string,
  args: readonly Argument[],
  context: Context,
): Pick<Update, "kind" | "numbers"> {
  const [kind, order] = Object.hasOwn(known, name) ? (known[name] ?? []) : [];
  if (kind === undefined || order === undefined) return { kind: undefined, numbers: {} };
  const { bound } = bindArguments(["params", ...order], args);
  const said = [...bound].filter(
    ([word, { value }]) => (numberWords as readonly string[]).includes(word) && isPlain(value),
  );
  const { optimizer, numbers } = optimizerNumbers(new Map(said), kind, context);
  return { kind: optimizer, numbers };
}

/** Whether a value is a known number, or a row of known numbers. */
function isPlain(value: Value): boolean {
  if (value.kind === "tuple" || value.kind === "list") return value.items.every(isPlain);
  return value.kind === "int" || value.kind === "float";
}

/** `optimizer.step()`, which ends a step of training. */
function stepOf(
  { recorder, tensors, record }: OptimizerParts,
  update: Pick<Update, "name" | "kind" | "numbers" | "trained">,
): Value {
  return hostFunction("step", ([closure], context, span) => {
    if (closure !== undefined && isCallable(closure.value)) context.call(closure.value, [], span);
    const { trace } = recorder;
    trace.rounds.updates += 1;
    const made = {
      operators: trace.operators.length,
      backwardPasses: tensors.backwardCalls.length,
    };
    const place = context.frames[0]?.callSpan.from ?? span.from;
    record.updates.push({ ...update, ...made, span, place });
    return none;
  });
}

function isCallable({ kind }: Value): boolean {
  return kind === "function" || kind === "method" || kind === "host-function";
}

/** `GradScaler`: what it scales is drawn unscaled, and its step is the optimizer's. */
export function scalerWord({ assumed }: OptimizerParts, path: string): Value | undefined {
  if (!/\.GradScaler$/u.test(path)) return undefined;
  const scale = passedOn("scale");
  const step = hostFunction("step", ([optimizer], context, span) =>
    optimizer === undefined
      ? none
      : context.call(context.getAttribute(optimizer.value, "step", span), [], span),
  );
  const members: ReadonlyMap<string, Value> = new Map([
    ["scale", scale],
    ["step", step],
  ]);
  return hostFunction("GradScaler", () => {
    const made = assumed(`${path}()`, (name) => members.get(name));
    return ofClass(made, "GradScaler", scalerNames);
  });
}
