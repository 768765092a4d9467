import type { Span } from "#core/diagnostics";
import type { Optimizer, OptimizerNumbers } from "#core/training";
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
  none,
  passedOn,
  text,
  textOf,
} from "#language/document/bindings/values";
import type { Recorder, TracedTensor } from "#language/document/trace";
import { type Argument, type Context, dictOf, type Value } from "#language/python";
import { optimizerParameters } from "./optimizer-parameters.ts";
import type { TrainingRecord, Update } from "./record.ts";

/** What optimizers are made with. */
export interface OptimizerParts {
  readonly recorder: Recorder;
  readonly tensors: Pick<TensorBindings, "backwardCalls" | "tensorOf" | "object" | "extra">;
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
      const trained = first && trainedIn(parts, first.value, context, span);
      const update = { name, ...told(name, args, context), trained };
      const groups: Value = { kind: "list", items: [dictOf(rate(update.numbers))] };
      const members: ReadonlyMap<string, Value> = new Map([
        ["step", stepOf(parts, update)],
        ["param_groups", groups],
      ]);
      return parts.assumed(`${path}()`, (member) => members.get(member));
    },
    operate: () => undefined,
  });
}

/** What `inspect.signature` says of an optimizer: the names of its parameters. */
function signatureOf(name: string): Value | undefined {
  const names = optimizerParameters(name);
  return names && { kind: "list", items: names.map(text) };
}

/** The parameters given to an optimizer, without frozen ones; `undefined` if one is unknown. */
function trainedIn(
  { tensors }: OptimizerParts,
  given: Value,
  context: Context,
  span: Span,
): ReadonlySet<TracedTensor> | undefined {
  if (assumedOf(given) !== undefined) return undefined;
  const trained = new Set<TracedTensor>();
  const isRead = (value: Value): boolean => {
    const tensor = tensors.tensorOf(value);
    if (tensor === undefined) return isGroupRead(value);
    const asked = tensors.extra(tensors.object(tensor), "requires_grad");
    if (asked?.kind !== "bool" || asked.value) trained.add(tensor);
    return true;
  };
  // A group is a dict with its parameters; a parameter may stand behind its name.
  const isGroupRead = (value: Value): boolean => {
    if (value.kind === "dict") {
      const params = [...value.entries.values()].find(({ key }) => textOf(key) === "params");
      return params !== undefined && isEachRead(params.value);
    }
    const named = value.kind === "tuple" ? value.items[1] : undefined;
    return named !== undefined && isRead(named);
  };
  const isEachRead = (values: Value): boolean =>
    assumedOf(values) === undefined &&
    (tensors.tensorOf(values) !== undefined
      ? isRead(values)
      : context.iterate(values, span).every(isRead));
  return isEachRead(given) ? trained : undefined;
}

/** The entries of an optimizer's groups that a text reads, and may set. */
function rate({ lr = 1e-3 }: OptimizerNumbers): readonly (readonly [string, Value])[] {
  return [
    ["lr", { kind: "float", value: lr }],
    ["params", { kind: "list", items: [] }],
  ];
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
  return hostFunction("GradScaler", () => assumed(`${path}()`, (name) => members.get(name)));
}
