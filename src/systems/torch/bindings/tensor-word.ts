import type { Span } from "#core/diagnostics";
import { type DType, parseDType } from "#core/ir";
import { isFloat } from "#core/ir/types";
import {
  leafWord,
  parameterClass,
  type TensorBindings,
  tensorClass,
} from "#language/document/bindings";
import { longDType } from "#language/document/bindings/types";
import { itemsOf, none, text } from "#language/document/bindings/values";
import type { Recorder, TracedTensor } from "#language/document/trace";
import type { Argument, Context, HostFunction, Value } from "#language/python";
import type { CallFault } from "./call-fault.ts";
import { asParameter } from "./parameter-word.ts";

/** The parts of a run that the tensor classes use. */
interface ClassParts {
  readonly recorder: Recorder;
  readonly tensors: TensorBindings;
  /** A function that makes a tensor, by its name. */
  readonly creator: (name: string) => Value | undefined;
}

/** The data types of the older classes, by the beginning of their names. */
const typeNames: Readonly<Record<string, string>> = {
  Float: "f32",
  Half: "f16",
  BFloat16: "bf16",
  Double: "f64",
  Long: "int64",
  Int: "int32",
  Short: "int16",
  Char: "int8",
  Byte: "uint8",
  Bool: "bool",
};

/** `torch.Tensor` and the older classes of one data type: called with sizes or data they make one. */
export function tensorWord(parts: ClassParts, name: string): HostFunction {
  const type = typeNames[name.replace(/Tensor$/, "")];
  const dtype = type === undefined ? undefined : parseDType(type);
  return {
    ...tensorClass(parts.tensors, name, dtype),
    call: (args, context, span) => made(parts, [name, dtype], args, context, span),
  };
}

function made(
  { recorder, tensors, creator }: ClassParts,
  [name, dtype = tensors.types.defaultFloat]: readonly [string, DType | undefined],
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const [first] = args;
  if (isNative(name, args, context, span))
    return leafWord(recorder, tensors, "input", args, context, span);
  const isData = first === undefined || itemsOf(first.value) !== undefined;
  const word = creator(isData ? "tensor" : "empty");
  const typed = {
    name: "dtype",
    value: tensors.types.valueOf?.(dtype) ?? text(longDType(dtype)),
    span,
  };
  const given = tensors.tensorOf(first?.value);
  if (first !== undefined && given !== undefined) {
    const isOfClass = given.dtype === dtype || name === "Tensor";
    const cast = () => context.getAttribute(tensors.asTensor(first.value), "to", span);
    const plain = tensors.asTensor(first.value);
    return isOfClass ? plain : context.call(cast(), [typed], span);
  }
  return word === undefined ? none : context.call(word, [...args, typed], span);
}

const ofFloats = "Only Tensors of floating point and complex dtype can require gradients";

const isWhole = ({ dtype, isTypeAssumed, isUnknown }: TracedTensor) =>
  isTypeAssumed !== true && isUnknown !== true && !isFloat(dtype);

/** Why no parameter is made of what is given: it is no tensor, or too much. */
function parameterFault(args: readonly Argument[]): CallFault | undefined {
  const other = args.find(
    ({ name }) => name !== undefined && !/^(?:data|requires_grad)$/u.test(name),
  );
  if (other !== undefined)
    return ["TypeError", `Parameter.__new__() got an unexpected keyword argument '${other.name}'`];
  const kind = args[0]?.value.kind ?? "none";
  if (!/^(?:int|float|bool|str|list|tuple|dict|set)$/u.test(kind)) return undefined;
  return ["AttributeError", `'${kind}' object has no attribute 'detach'`];
}

/** `nn.Parameter(data)`, which under its bare name also is the word for one of a shape. */
export function parameterWord(parts: ClassParts): HostFunction {
  const { recorder, tensors } = parts;
  const call: HostFunction["call"] = (args, context, span) => {
    const [given, ...rest] = args;
    if (isNative("Parameter", args, context, span))
      return leafWord(recorder, tensors, "parameter", args, context, span);
    const fault = span.from < 0 ? undefined : parameterFault(args);
    if (fault !== undefined) return context.raise(...fault, span);
    const isTrained = !rest.some(({ value }) => value.kind === "bool" && !value.value);
    const tensor = tensors.tensorOf(given?.value);
    if (isTrained && rest.length === 0 && tensor !== undefined && isWhole(tensor))
      context.raise("RuntimeError", ofFloats, span);
    const made = asParameter(recorder, tensors, given, context, span);
    tensors.setTrained(made, isTrained);
    return made;
  };
  return { ...parameterClass(tensors, "Parameter"), call };
}

/**
 * Whether a call means the native word of the same name, which a text may use beside an import of
 * the class: the bare name, with sizes in a tuple, a data type as a text, or no argument. The class
 * itself would make a tensor of those numbers, which no program wants.
 */
function isNative(
  name: string,
  args: readonly Argument[],
  { source }: Context,
  span: Span,
): boolean {
  const isBare = new RegExp(`^${name}\\s*\\(`).test(source.slice(span.from, span.to));
  if (!isBare || (name !== "Tensor" && name !== "Parameter")) return false;
  return args.every((each) => saysLeaf(each));
}

function saysLeaf({ name, value }: Argument): boolean {
  if (name !== undefined) return name === "shape" || name === "dtype";
  if (value.kind === "str") return true;
  return (
    value.kind === "tuple" && value.items.every(({ kind }) => kind === "int" || kind === "host")
  );
}
