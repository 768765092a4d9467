import type { Span } from "#core/diagnostics";
import type { TensorBindings } from "#language/document/bindings";
import {
  bindArguments,
  hostFunction,
  integerOf,
  itemsOf,
  none,
} from "#language/document/bindings/values";
import type { TracedTensor } from "#language/document/trace";
import type { Argument, Context, HostType, Value } from "#language/python";
import { netResultsIn } from "../bindings/net-results.ts";
import type { CellCalls } from "./cell-calls.ts";
import type { TrainingRecord } from "./record.ts";

/** Services for the functions that compute gradients. */
export interface GradientParts {
  readonly record: TrainingRecord;
  readonly tensors: TensorBindings;
  readonly calls: CellCalls;
}

/** The inputs and parameters with respect to which a gradient is taken. */
interface Asked {
  /** Positions of inputs; `undefined` for none, `all` for every one. */
  readonly inputs?: number | readonly number[] | "all" | undefined;
  /** Parameters, or an object that holds them; `undefined` without any. */
  readonly weights?: Value | undefined;
  readonly givesValue: boolean;
  readonly hasAux: boolean;
  /** Whether the last argument scales the gradient instead of being an argument of the function. */
  readonly takesScale: boolean;
}

/** `ms.grad`, `ms.value_and_grad` and `ops.GradOperation`; `undefined` for other names. */
export function gradientWord(parts: GradientParts, name: string): Value | undefined {
  if (name === "GradOperation") return gradOperation(parts);
  if (name !== "grad" && name !== "value_and_grad") return undefined;
  const names = ["fn", "grad_position", "weights", "has_aux", "return_ids"];
  return hostFunction(name, (args, context, span) => {
    const { bound } = bindArguments(names, args);
    const fn = bound.get("fn")?.value;
    if (fn === undefined) {
      const message = `${name}() missing 1 required positional argument: 'fn'`;
      return context.raise("TypeError", message, span);
    }
    return differentiating(parts, fn, {
      inputs: positionsOf(bound.get("grad_position")?.value),
      weights: given(bound.get("weights")?.value),
      givesValue: name === "value_and_grad",
      hasAux: isTrue(bound.get("has_aux")?.value),
      takesScale: false,
    });
  });
}

function gradOperation(parts: GradientParts): Value {
  const type: HostType = {
    name: "GradOperation",
    call: (self, args, context, span) => {
      const options = self.data as ReadonlyMap<string, Argument>;
      const is = (name: string) => isTrue(options.get(name)?.value);
      const { bound } = bindArguments(["fn", "weights", "grad_position"], args);
      const fn = bound.get("fn")?.value ?? none;
      const all = given(bound.get("weights")?.value) ?? parametersIn(fn, context, span);
      return differentiating(parts, fn, {
        inputs: is("get_all") ? "all" : is("get_by_list") ? undefined : 0,
        weights: is("get_by_list") ? all : undefined,
        givesValue: false,
        hasAux: false,
        takesScale: is("sens_param"),
      });
    },
    text: () => "GradOperation",
  };
  return hostFunction("GradOperation", (args) => {
    const { bound } = bindArguments(["get_all", "get_by_list", "sens_param"], args);
    return { kind: "host", type, data: bound };
  });
}

/** A function that runs `fn` forward, records the loss, and returns gradients. */
function differentiating(parts: GradientParts, fn: Value, asked: Asked): Value {
  const { record, tensors, calls } = parts;
  return hostFunction("grad_fn", (args, context, span) => {
    const taken = asked.takesScale ? args.slice(0, -1) : args;
    const scale = asked.takesScale ? tensors.tensorOf(args.at(-1)?.value) : undefined;
    if (scale !== undefined) record.scales.add(scale);
    const known = calls.known(fn, taken);
    const value = known ?? context.call(fn, taken, span);
    // A net that the program itself calls is compiled separately.
    const isApart = netResultsIn(tensors.trace).some(({ net }) => net === fn);
    if ((known === undefined || isApart) && !asked.givesValue) record.withoutValue ??= span;
    if (asked.weights === undefined) record.ofInputs.push(span);
    else noteLoss(parts, value, span);
    const result = gradientsOf(parts, taken, asked, context, span);
    const aux = asked.hasAux ? (itemsOf(value) ?? []).slice(1) : [];
    if (asked.givesValue) return { kind: "tuple", items: [value, result] };
    return aux.length === 0
      ? result
      : { kind: "tuple", items: [result, { kind: "tuple", items: aux }] };
  });
}

/** Records that a value, or the first of several, is the loss of a step. */
export function noteLoss({ record, tensors }: GradientParts, value: Value, span: Span): void {
  const loss = [value, ...(itemsOf(value) ?? [])]
    .map((each) => tensors.tensorOf(each))
    .find((each) => each !== undefined);
  if (loss === undefined) return;
  const operators = tensors.trace.operators.length;
  record.differentiated.push({ tensor: loss, operators, span });
}

function gradientsOf(
  parts: GradientParts,
  args: readonly Argument[],
  { inputs, weights }: Asked,
  context: Context,
  span: Span,
): Value {
  const ofInputs =
    inputs === undefined ? undefined : ofPositions(parts, inputs, args, context, span);
  if (weights === undefined) return ofInputs ?? none;
  const ofWeights = gradients(parts, weights, context, span);
  return ofInputs === undefined ? ofWeights : { kind: "tuple", items: [ofInputs, ofWeights] };
}

function ofPositions(
  parts: GradientParts,
  inputs: number | readonly number[] | "all",
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  if (typeof inputs === "number")
    return gradientOf(parts, args[inputs]?.value ?? none, context, span);
  const positions = inputs === "all" ? args.map((_, at) => at) : inputs;
  return gradientList(
    parts,
    positions.map((at) => args[at]?.value ?? none),
  );
}

/** The gradients of parameters: of a list of them, or an empty list if they are not known. */
export function gradients(
  parts: GradientParts,
  weights: Value,
  context: Context,
  span: Span,
): Value {
  const { record, tensors } = parts;
  const listed = weights.kind === "host" && tensors.tensorOf(weights) ? [weights] : undefined;
  const items = listed ?? itemsOf(weights);
  const traced = items?.map((each) => tensors.tensorOf(each));
  if (items === undefined || traced?.some((each) => each === undefined) === true)
    return gradientList(parts, []);
  const before: Iterable<TracedTensor> = record.weights ?? [];
  record.weights = new Set([...before, ...(traced ?? []).flatMap((each) => each ?? [])]);
  const [only] = listed ?? [];
  return only === undefined ? gradientList(parts, items) : gradientOf(parts, only, context, span);
}

/** A lazy tuple of gradients: each becomes a tensor when the program accesses it. */
function gradientList(parts: GradientParts, of: readonly Value[]): Value {
  const type: HostType = {
    name: "tuple",
    iterate: (_, context, span) => of.map((each) => gradientOf(parts, each, context, span)),
    item: (_, key, context, span) => {
      const at = integerOf(key);
      const value = at === undefined ? undefined : of.at(at);
      return value === undefined
        ? context.raise("IndexError", "tuple index out of range", span)
        : gradientOf(parts, value, context, span);
    },
    length: () => of.length,
    truth: () => true,
    call: (self) => self,
    text: () => "gradients",
  };
  return { kind: "host", type, data: of };
}

/** A leaf tensor of the differentiated tensor's shape, in place of its gradient. */
function gradientOf(
  { record, tensors }: GradientParts,
  value: Value,
  context: Context,
  span: Span,
): Value {
  const of = tensors.tensorOf(value);
  if (of === undefined) return none;
  const made = tensors.leafLike(value, context, span);
  const tensor = tensors.tensorOf(made);
  if (tensor !== undefined) record.gradients.set(tensor, of.name?.text ?? "a tensor");
  return made;
}

/** The trainable parameters of a Cell, differentiated if no list is given. */
function parametersIn(fn: Value, context: Context, span: Span): Value {
  if (fn.kind !== "instance") return { kind: "list", items: [] };
  return context.call(context.getAttribute(fn, "trainable_params", span), [], span);
}

/** Reads `grad_position=0`, `(0, 1)` or `None`; the first input by default. */
function positionsOf(value: Value | undefined): Asked["inputs"] {
  if (value === undefined) return 0;
  if (value.kind === "none") return undefined;
  return integerOf(value) ?? (itemsOf(value) ?? []).flatMap((each) => integerOf(each) ?? []);
}

function given(value: Value | undefined): Value | undefined {
  return value?.kind === "none" ? undefined : value;
}

function isTrue(value: Value | undefined): boolean {
  return value?.kind === "bool" && value.value;
}
