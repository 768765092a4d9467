// What autograd of PyTorch 2.13 refuses: which tensors it follows, and what may be done to those.

import { isFloat } from "#core/ir/types";
import type { TensorAccess } from "#language/document/bindings";
import type { TracedOperator, TracedTensor } from "#language/document/trace";
import type { Argument, HostObject, Value } from "#language/python";
import type { CallFault } from "./call-fault.ts";

type Words = TensorAccess["words"];
type State = "followed" | "plain" | "open";
type States = ReadonlyMap<TracedTensor, State>;

/** Set on a tensor whose `data` was asked for, which autograd does not see and no graph tells apart. */
export const readsData = "data is read";

/** Whether a tensor requires a gradient; `undefined` where nobody knows. */
export function requiresGradient(words: Words, tensor: TracedTensor): boolean | undefined {
  const state = statesOf(words, tensor).get(tensor);
  return state === "open" ? undefined : state === "followed";
}

/** What autograd follows of a tensor and of what it is made of. */
function statesOf(words: Words, root: TracedTensor): States {
  const states = new Map<TracedTensor, State>();
  const waiting = [root];
  for (let top = waiting.at(-1); top !== undefined; top = waiting.at(-1)) {
    const own = states.get(top) ?? ownState(words, top);
    const inputs = own === undefined ? inputsOf(top) : [];
    const open = inputs.filter((each) => !states.has(each));
    if (open.length > 0) {
      waiting.push(...open);
      continue;
    }
    states.set(top, own ?? joined(top, inputs, states));
    waiting.pop();
  }
  return states;
}

function inputsOf({ producer }: TracedTensor): readonly TracedTensor[] {
  return (producer?.inputs ?? []).filter((each) => each.kind === "tensor");
}

/** What a tensor says itself, whatever it is made of. */
function ownState(words: Words, tensor: TracedTensor): State | undefined {
  const { producer, role } = tensor;
  if (tensor.isUnknown === true) return "open";
  if (!isFloat(tensor.dtype)) return tensor.isTypeAssumed === true ? "open" : "plain";
  const object = words.object(tensor);
  const said = words.extra(object, "requires_grad");
  if (said?.kind === "bool" && !said.value) return "plain";
  if (said !== undefined && said.kind !== "bool") return "open";
  if (words.extra(object, readsData) !== undefined) return "open";
  if (said !== undefined) return "followed";
  if (producer !== undefined) {
    return producer.endsGradient === true || producer.op === "detach" ? "plain" : undefined;
  }
  if (role === "parameter") return "followed";
  return tensor.isWritten === true || tensor.shapeStatus === "assumed" ? "open" : "plain";
}

function joined(
  { producer }: TracedTensor,
  inputs: readonly TracedTensor[],
  states: States,
): State {
  const given = new Set(inputs.map((each) => states.get(each)));
  // A function that is not one of the library may hand on no gradient.
  const isKnown = producer?.entry !== undefined || recurring.test(producer?.op ?? "");
  if (given.has("followed")) return isKnown ? "followed" : "open";
  return given.has("open") ? "open" : "plain";
}

/** Operators that are not of the library and hand on gradients for certain. */
const recurring = /^(?:lstm|gru|rnn)(?:_\w+)?$/u;

/** Operators that keep nothing of their operands for a gradient, and dropout, which may not run. */
const keepsNothing =
  /^(?:add|sub|rsub|neg|sum|mean|cumsum|concat|cat|stack|[hvd]stack|pad|roll|flip|tril|triu|trace|clone|to|identity|dropout|repeat|repeat_interleave|diag|diff|unfold|fold|upsample\w*|interpolate|pixel_\w+|chunk|split|unbind|reshape|flatten|meshgrid|setitem|float|half|double|bfloat16|contiguous|lerp|round|floor|ceil|sign|fft\w*)$/u;

/** Whether an operator keeps something that a backward pass lets go. */
export const keeps = (op: string) => !keepsNothing.test(op) && !viewing.test(op);

/** Those that keep their result. */
const keepingResults = /^(?:relu|sigmoid|tanh|exp|sqrt|softmax|log_softmax)$/u;

/** What an earlier `backward()` has used, and let go. */
const used = new WeakSet<TracedOperator>();

const ofBackward: ReadonlySet<string> = new Set([
  ...["gradient", "retain_graph", "create_graph", "inputs"],
]);

/** Why `backward()` of a tensor is refused. */
function backwardFault(
  words: Words,
  self: HostObject,
  args: readonly Argument[],
): CallFault | undefined {
  const tensor = words.tensorOf(self);
  if (tensor === undefined || words.isInBody) return undefined;
  const other = args.find(({ name }) => name !== undefined && !ofBackward.has(name))?.name;
  if (other !== undefined)
    return ["TypeError", `Tensor.backward() got an unexpected keyword argument '${other}'`];
  const states = statesOf(words, tensor);
  if (states.get(tensor) === "plain")
    return [
      "RuntimeError",
      "element 0 of tensors does not require grad and does not have a grad_fn",
    ];
  const operators = followed(tensor, states);
  const changed = operators.find((each) => changesKept(each));
  if (changed !== undefined)
    return [
      "RuntimeError",
      `one of the variables needed for gradient computation has been modified by an inplace operation: the result of ${changed.op}`,
    ];
  if (operators.some((each) => used.has(each)))
    return ["RuntimeError", "Trying to backward through the graph a second time"];
  const isKept = args.some(
    ({ name, value }, at) =>
      (at === 1 || name === "retain_graph" || name === "create_graph") &&
      value.kind !== "none" &&
      !(value.kind === "bool" && !value.value),
  );
  if (!isKept) for (const each of operators) if (keeps(each.op)) used.add(each);
  return undefined;
}

/** The operators that a gradient passes back through for certain. */
function followed(root: TracedTensor, states: States): readonly TracedOperator[] {
  const found = new Set<TracedOperator>();
  const waiting = [root];
  for (const each of waiting) {
    if (states.get(each) !== "followed" || each.producer === undefined) continue;
    if (found.has(each.producer)) continue;
    found.add(each.producer);
    waiting.push(...inputsOf(each));
  }
  return [...found];
}

/** The operator whose result was kept for its gradient and then written over. */
function changesKept(update: TracedOperator): boolean {
  const [first] = update.inputs;
  if (update.isUpdate !== true || first?.kind !== "tensor") return false;
  return first.producer !== undefined && keepingResults.test(first.producer.op);
}

/** Operators that give another way to see the same elements. */
export const viewing =
  /^(?:view|transpose|permute|expand|slice|select|narrow|squeeze|unsqueeze|t|movedim|diagonal)$/u;

/** Why elements of a tensor cannot be written over: autograd follows it from its leaf. */
function leafFault(words: Words, self: HostObject): CallFault | undefined {
  const tensor = words.tensorOf(self);
  if (tensor === undefined || words.isInBody || !words.followsGradients) return undefined;
  let leaf = tensor;
  while (leaf.producer !== undefined) {
    const [source] = leaf.producer.inputs;
    if (!viewing.test(leaf.producer.op) || source?.kind !== "tensor") return undefined;
    leaf = source;
  }
  if (ownState(words, leaf) !== "followed" || requiresGradient(words, tensor) !== true)
    return undefined;
  const what = leaf === tensor ? "a leaf Variable" : "a view of a leaf Variable";
  return ["RuntimeError", `${what} that requires grad is being used in an in-place operation.`];
}

/** Why a tensor is no array of NumPy. */
export function arrayFault(words: Words, self: HostObject): CallFault | undefined {
  const tensor = words.tensorOf(self);
  if (tensor === undefined || words.isInBody) return undefined;
  if (requiresGradient(words, tensor) === true)
    return [
      "RuntimeError",
      "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
    ];
  return tensor.dtype === "bf16" && tensor.isTypeAssumed !== true
    ? ["TypeError", "Got unsupported ScalarType BFloat16"]
    : undefined;
}

/** Why a tensor cannot take the elements of another value. */
function dataFault(
  words: Words,
  self: HostObject,
  value: Value | undefined,
): CallFault | undefined {
  const [own, other] = [words.tensorOf(self), words.tensorOf(value)];
  if (value !== undefined && other === undefined && plain.has(value.kind))
    return ["TypeError", `Variable data has to be a tensor, but got ${value.kind}`];
  const isWhole = other !== undefined && other.isTypeAssumed !== true && !isFloat(other.dtype);
  if (own === undefined || !isWhole || requiresGradient(words, own) !== true) return undefined;
  const message =
    "data set to a tensor that requires gradients must be floating point or complex dtype";
  return ["RuntimeError", message];
}

/** Kinds of values that are never a tensor. */
const plain: ReadonlySet<string> = new Set([
  "int",
  "float",
  "bool",
  "str",
  "list",
  "tuple",
  "none",
]);

/** Members in place that change no elements. */
const unwriting = /^(?:requires_grad_|detach_|share_memory_|set_|apply_)$/u;

/** Why autograd refuses a member of a tensor. */
export function gradientFault(
  name: string,
  args: readonly Argument[],
  words: Words,
  self: HostObject,
): CallFault | undefined {
  if (name === "backward") return backwardFault(words, self, args);
  if (name === "data") return dataFault(words, self, args[0]?.value);
  if (name === "numpy") return args.length > 0 ? undefined : arrayFault(words, self);
  const isWriting = name === "__setitem__" || /[a-z]_$/u.test(name);
  return isWriting && !unwriting.test(name) ? leafFault(words, self) : undefined;
}
