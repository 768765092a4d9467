import { byteSizeForms, readByteSize } from "#core/arithmetic";
import type { Span } from "#core/diagnostics";
import type { Optimizer } from "#core/training";
import {
  type Argument,
  type Context,
  type HostFunction,
  nearestName,
  type Value,
} from "#language/python";
import { writing } from "../fix.ts";
import type { Recorder } from "../trace/recorder.ts";
import { meshWord, type TrainCall } from "../trace/trace.ts";
import { oneOf } from "./one-of.ts";
import { numberWords, optimizerNumbers } from "./optimizer-numbers.ts";
import type { TensorBindings } from "./tensors.ts";
import { trainPolicy } from "./train-policy.ts";
import {
  bindArguments,
  hostFunction,
  integerOf,
  itemsOf,
  none,
  numberOf,
  textOf,
} from "./values/values.ts";

const optimizers = ["sgd", "momentum", "adam", "adamw"] as const;
const zeroLevels = [0, 1, 2, 3] as const;

/** Arguments of `train` for the data types of a step and the way its kernels run. */
const policyWords = ["precision", "gradients", "compiled", "overlap"] as const;

/** `train(loss, …)`, `pin(…)` and `stage(…)` as Python functions. */
export function reservedWords(
  recorder: Recorder,
  tensors: TensorBindings,
): readonly HostFunction[] {
  return [
    hostFunction("train", (args, context, span) =>
      trainWord(recorder, tensors, args, context, span),
    ),
    hostFunction("pin", (args, context, span) => pinWord(recorder, tensors, args, context, span)),
    hostFunction("stage", (args, context, span) => reserved("stage", args, context, span)),
  ];
}

/**
 * `train(loss, optimizer="adam", microbatches=1, zero=0, recompute=[…])`, with the data type policy
 * and the optimizer's numbers.
 */
function trainWord(
  recorder: Recorder,
  tensors: TensorBindings,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const own = ["loss", "optimizer", "microbatches", "zero", "recompute"];
  const names = [...own, ...policyWords, ...numberWords];
  const { bound, extra } = bindArguments(names, args);
  const [surplus] = extra;
  if (surplus !== undefined) {
    const message = `train() takes ${names.join(", ")}`;
    const { name, nameSpan = surplus.span } = surplus;
    const meant = name === undefined ? undefined : nearestName(name, names);
    const fixes = meant === undefined || bound.has(meant) ? [] : [writing(nameSpan, meant)];
    return context.raise("TypeError", message, nameSpan, { fixes });
  }
  const loss = tensors.tensorOf(bound.get("loss")?.value) ?? textOf(bound.get("loss")?.value);
  if (loss === undefined) {
    const message = "train() needs the loss first: a tensor, or its name";
    return context.raise("TypeError", message, bound.get("loss")?.span ?? span);
  }
  const named = optimizerIn(bound.get("optimizer"), context);
  const { optimizer, numbers } = optimizerNumbers(bound, named, context);
  const microbatches = countIn(bound.get("microbatches"), 1, Number.MAX_SAFE_INTEGER, 1, context);
  const level = countIn(bound.get("zero"), 0, 3, 0, context);
  const zero = zeroLevels.find((each) => each === level) ?? 0;
  const recompute = recomputedIn(tensors, bound.get("recompute"), context);
  const policy = trainPolicy(bound, context);
  recorder.trace.training.push({
    ...{ loss, optimizer, numbers, microbatches, zero, recompute, policy, span },
  });
  return none;
}

/** `pin(h)`, `pin("layers[*].h")`, `pin(mesh)`, with one or more arguments. */
function pinWord(
  recorder: Recorder,
  tensors: TensorBindings,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  if (args.length === 0) {
    return context.raise("TypeError", 'pin() needs what stays: pin(h), pin("w*"), pin(mesh)', span);
  }
  for (const { name, value, span: place } of args) {
    const target = isMesh(value) ? meshWord : (tensors.tensorOf(value) ?? textOf(value));
    if (target === undefined || name !== undefined) {
      const message = "pin() takes tensors, names of them, names with *, and the mesh";
      return context.raise("TypeError", message, place);
    }
    recorder.trace.pins.push({ target, span: place });
  }
  return args[0]?.value ?? none;
}

function isMesh(value: Value): boolean {
  return value.kind === "host" && value.type.name === "Mesh";
}

function optimizerIn(argument: Argument | undefined, context: Context): Optimizer {
  return argument === undefined ? "adam" : oneOf("the optimizer", argument, optimizers, context);
}

function countIn(
  argument: Argument | undefined,
  least: number,
  most: number,
  otherwise: number,
  context: Context,
): number {
  if (argument === undefined) return otherwise;
  const value = integerOf(argument.value);
  if (value !== undefined && value >= least && value <= most) return value;
  const range = most > 3 ? `at least ${least}` : `from ${least} to ${most}`;
  return context.raise(
    "ValueError",
    `"${argument.name ?? ""}" is an integer, ${range}`,
    argument.span,
  );
}

/** The argument `recompute`: a list of tensors and names, `"full"`, or a budget of bytes. */
function recomputedIn(
  tensors: TensorBindings,
  argument: Argument | undefined,
  context: Context,
): TrainCall["recompute"] {
  if (argument === undefined) return [];
  const { value, span } = argument;
  const word = textOf(value);
  if (word === "full") return word;
  const size = value.kind === "bool" ? undefined : (numberOf(value) ?? word);
  const bytes = readByteSize(size);
  if (bytes !== undefined) return { bytes };
  if (typeof size === "number" || /^[-+\d.]/u.test(word ?? "")) {
    const message = `a budget of "recompute" is ${byteSizeForms}`;
    return context.raise("ValueError", message, span);
  }
  const items = word === undefined ? itemsOf(value) : undefined;
  const targets = items?.map((item) => tensors.tensorOf(item) ?? textOf(item));
  if (targets?.every((target) => target !== undefined)) return targets;
  return context.raise("TypeError", `"recompute" takes ${recomputeForms}`, span);
}

const recomputeForms =
  'a list of tensors, names of operators and modules, as in ["layers[*]"], "full", or a number of bytes, as in "8GB"';

/** Reserved word without an effect; reports that. */
function reserved(word: string, args: readonly Argument[], context: Context, span: Span): Value {
  context.report({
    code: "document/reserved-word",
    severity: "info",
    message: `${word}() is reserved and has no effect`,
    span,
  });
  return args[0]?.value ?? none;
}
