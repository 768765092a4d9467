import { bytesOf } from "#core/ir";
import { isFloat } from "#core/ir/types";
import { fieldOf } from "#core/records";
import { runFact, type TensorAccess } from "#language/document/bindings";
import { dtypeOf } from "#language/document/bindings/types";
import {
  backwardHook,
  hostFunction,
  integer,
  none,
  text,
  textOf,
} from "#language/document/bindings/values";
import type { TracedTensor } from "#language/document/trace";
import type { Context, Value } from "#language/python";
import { isAbsent } from "./absent-names.ts";
import { callFault } from "./call-faults.ts";
import { deviceWord } from "./device.ts";
import { readsData, requiresGradient } from "./gradient-faults.ts";

/**
 * Attributes of torch tensors other than shapes, data types and operators; `undefined` for other
 * names.
 */
export function tensorAttribute(access: TensorAccess, context: Context): Value | undefined {
  const { words, self, tensor, name, span } = access;
  if (span.from >= 0 && !words.isInBody && isNoMember(name) && isTensors(access, context))
    return context.raise("AttributeError", `'Tensor' object has no attribute '${name}'`, span);
  if (span.from >= 0 && words.isScalar(self) && !ofNumbers.test(name))
    return context.raise("AttributeError", `'float' object has no attribute '${name}'`, span);
  if (name === "data") {
    words.setExtra(self, readsData, none);
    return self;
  }
  if (checkedMembers.has(name) && !words.isInBody && !isLookedUp && !isArraySize(access, context))
    return checkedMember(access);
  const state = words.isInBody ? undefined : stateOf(access);
  if (state !== undefined) return state;
  if (asksState.has(name)) words.refuse(`it asks for "${name}" of a tensor`, context, span);
  if (name === "numpy") return hostFunction(name, () => words.asArray(self));
  if (name === "tolist") return hostFunction(name, () => asList(access));
  if (itself.has(name)) return hostFunction(name, () => self);
  if (name === "is_contiguous" && !mayBeView(tensor))
    return hostFunction(name, () => ({ kind: "bool", value: true }));
  if (lying.has(name)) return runFact(`${tensor.name?.text ?? "tensor"}.${name}`);
  const plain = fieldOf(otherNames, name);
  return plain === undefined
    ? attributeNamed(access, context)
    : context.getAttribute(self, plain, span);
}

/** `tensor.tolist()`: the tensor, which may be joined with other lists, so it has a note of that. */
function asList({ words, self, name }: TensorAccess): Value {
  const again = hostFunction(name, () => self);
  words.setExtra(self, name, again);
  return self;
}

/** Attributes that stand for themselves: questions about a data type, and those of gradients. */
function attributeNamed(access: TensorAccess, context: Context): Value | undefined {
  const { words, self, tensor, name, span } = access;
  switch (name) {
    case "size":
      return isArraySize(access, context)
        ? context.call(numberOf(access, context), [], span)
        : undefined;
    case "is_floating_point":
      return hostFunction(name, () => ({ kind: "bool", value: /^b?f/.test(tensor.dtype) }));
    case "is_complex":
      return hostFunction(name, () => ({ kind: "bool", value: false }));
    case "register_hook":
    case "register_post_accumulate_grad_hook":
      return hostFunction(name, (_, ...at) => backwardHook(name, ...at));
    case "device":
      return context.call(deviceWord(context), [{ value: text("cpu"), span }], span);
    case "itemsize":
      return integer(bytesOf(tensor.dtype));
    case "element_size":
      return hostFunction(name, () => integer(bytesOf(tensor.dtype)));
    case "real":
    case "imag":
      return words.function(name, [self], context, span);
    case "grad":
      return words.hasRunBackward ? words.gradientOf(self, context, span) : none;
    case "grad_fn":
      return none;
    case "requires_grad_":
      return requiresGrad(access);
    case "unfold":
      return unfold(access);
    default:
      return undefined;
  }
}

/**
 * Whether a value is certainly a tensor of torch: no array, no sample of a data set, no argument that
 * is assumed since nothing calls its function, and no tensor of another system.
 */
function isTensors({ words, self, tensor }: TensorAccess, { source }: Context): boolean {
  const isAssumed = tensor.isOpen === true || tensor.isUnknown === true || tensor.isData === true;
  return !isAssumed && !words.isArray(self) && importsTorch.test(source);
}

/** Whether neither plain tensors nor those over several devices have a member. */
function isNoMember(name: string): boolean {
  return isAbsent("Tensor", name) && isAbsent("DTensor", name);
}

/** Elsewhere types are texts. */
const importsTorch = /^\s*(?:import|from)\s+torch\b/mu;

/** What a number of Python has, as `x.item()` gives it. */
const ofNumbers =
  /^(?:_|real$|imag$|conjugate$|is_integer$|as_integer_ratio$|hex$|numerator$|denominator$|bit_)/u;

/** Members that are no operators, and take few arguments. */
const checkedMembers: ReadonlySet<string> = new Set([
  ...[
    "size",
    "dim",
    "numel",
    "ndimension",
    "nelement",
    "item",
    "tolist",
    "numpy",
    "to",
    "type",
    "unfold",
  ],
  ...["float", "half", "double", "bfloat16", "long", "int", "short", "char", "byte", "bool"],
]);

/** Whether the member itself is being looked up, not the wrapper that checks its arguments. */
let isLookedUp = false;

/** A member that refuses what PyTorch refuses. */
function checkedMember({ words, self, name, span }: TensorAccess): Value {
  return hostFunction(name, (args, context, at) => {
    const [given] = args;
    // The library's own texts, whose calls stand at one place, name types by their texts.
    const isWritten =
      importsTorch.test(context.source) &&
      given?.name === undefined &&
      given?.span.from !== at.from;
    const type =
      isWritten && dtypeOf(given?.value) !== undefined ? textOf(given?.value) : undefined;
    if ((name === "to" || name === "type") && type !== undefined && !words.isArray(self))
      return context.raise("RuntimeError", `${name}(): "${type}" is a text, and no type`, at);
    const fault = at.from < 0 ? undefined : words.systems.refused(name, args, words, self);
    if (fault !== undefined) return context.raise(...fault, at);
    isLookedUp = true;
    let member: Value;
    try {
      member = context.getAttribute(self, name, span);
    } finally {
      isLookedUp = false;
    }
    return context.call(member, args, at);
  });
}

/** Whether `x.size` is NumPy's element count, not torch's method. */
function isArraySize({ name, span }: TensorAccess, { source }: Context): boolean {
  // The whole text is looked through last: this is asked of every method of every tensor.
  return (
    name === "size" &&
    source.slice(span.from, span.to).endsWith(".size") &&
    !/^\s*\(/u.test(source.slice(span.to, span.to + mostBetween)) &&
    /^\s*(?:import|from)\s+numpy\b/mu.test(source)
  );
}

/** How far behind a name the brackets of its call are looked for. */
const mostBetween = 100;

function numberOf({ self, span }: TensorAccess, context: Context): Value {
  return context.getAttribute(self, "numel", span);
}

/**
 * Attributes of a tensor's state in a run, and methods that change only that state; they are no
 * operators of a graph.
 */
function stateOf({ words, self, tensor, name }: TensorAccess): Value | undefined {
  if (isNever.has(name)) return { kind: "bool", value: false };
  if (name === "is_leaf" || name === "requires_grad") return gradientState(words, tensor, name);
  if (filling.has(name))
    return hostFunction(name, (args, context, span) => {
      const refused = span.from < 0 ? undefined : callFault(name, "method", args, words, self);
      if (refused !== undefined) return context.raise(...refused, span);
      words.noteWritten(self);
      return self;
    });
  if (name !== "backward") return undefined;
  return hostFunction(name, (args, context, span) => {
    const refused = span.from < 0 ? undefined : callFault(name, "method", args, words, self);
    if (refused !== undefined) return context.raise(...refused, span);
    words.noteBackward(self, span);
    return none;
  });
}

/** `x.requires_grad`, and `x.is_leaf`: what nothing made that has a gradient. */
function gradientState(words: TensorAccess["words"], tensor: TracedTensor, name: string): Value {
  const isFollowed = requiresGradient(words, tensor);
  const isMade = tensor.producer !== undefined;
  if (name === "is_leaf" && !isMade) return { kind: "bool", value: true };
  if (isFollowed === undefined) return runFact(`${tensor.name?.text ?? "tensor"}.${name}`);
  return { kind: "bool", value: name === "is_leaf" ? !isFollowed : isFollowed };
}

/** What no tensor is here. */
const isNever: ReadonlySet<string> = new Set([
  ...["is_cuda", "is_sparse", "is_quantized", "is_meta", "is_nested"],
]);

/**
 * Attributes that a traced function body must not read: a graph does not record them for the body's
 * input tensors.
 */
const asksState: ReadonlySet<string> = new Set(["requires_grad", "is_cuda", "is_leaf", "tolist"]);

/** Methods that give the tensor itself, as far as a graph is concerned. */
const itself: ReadonlySet<string> = new Set([...["cuda", "cpu", "pin_memory", "share_memory_"]]);

/** Attributes of a tensor's memory on one device, which a graph does not have. */
const lying: ReadonlySet<string> = new Set([
  ...["stride", "is_contiguous", "data_ptr", "storage_offset", "storage", "untyped_storage"],
  ...["layout", "is_pinned", "is_shared", "_version"],
]);

/** Whether a tensor may be another way to see the elements of another one. */
function mayBeView({ producer }: TracedTensor): boolean {
  return producer !== undefined && viewing.test(producer.op);
}

const viewing =
  /^(transpose|permute|expand|slice|select|getitem|unfold|diagonal|narrow|movedim|squeeze|unsqueeze|chunk|split|unbind|reshape|view|flatten|detach|swapaxes|swapdims|t|real|imag|as_strided)/;

const otherNames: Readonly<Record<string, string>> = { ndimension: "dim", nelement: "numel" };

/** Methods that fill a tensor with values: its shape stays, and its values are none of a graph. */
const filling: ReadonlySet<string> = new Set([
  ...["fill_", "zero_", "normal_", "uniform_", "random_", "copy_", "trunc_normal_", "bernoulli_"],
  ...["exponential_", "set_", "fill_diagonal_", "retain_grad", "share_memory_"],
]);

function requiresGrad({ words, self, tensor, name }: TensorAccess): Value {
  return hostFunction(name, (args, context, span) => {
    const [given] = args;
    const refused = span.from < 0 ? undefined : callFault(name, "method", args, words, self);
    if (refused !== undefined) return context.raise(...refused, span);
    const isOff = given?.value.kind === "bool" && !given.value.value;
    const isWhole = tensor.isTypeAssumed !== true && !isFloat(tensor.dtype);
    if (isWhole && given === undefined)
      context.raise(
        "RuntimeError",
        "only Tensors of floating point dtype can require gradients",
        span,
      );
    words.setExtra(self, "requires_grad", { kind: "bool", value: !isOff });
    return self;
  });
}

/** `x.unfold(dim, size, step)` is no `unfold` of images, which the library has. */
function unfold({ words, self, name, span }: TensorAccess): Value {
  return hostFunction(name, (args, context, at) =>
    words.systems.call("unfold_dim", [{ value: self, span }, ...args], context, at),
  );
}
