// Members of tensors that are no operators: what PyTorch 2.13 refuses to give them.

import { dtypeOf } from "#language/document/bindings/types";
import { integerOf, textOf } from "#language/document/bindings/values";
import type { Argument } from "#language/python";

/** The shape of the tensor, where it is certain. */
interface Self {
  readonly shape: readonly number[] | undefined;
}

/** Members that take nothing by place. */
const alone: ReadonlySet<string> = new Set([
  ...["dim", "ndimension", "numel", "nelement", "item", "tolist", "numpy", "t", "element_size"],
  ...["float", "half", "double", "bfloat16", "long", "int", "short", "char", "byte", "bool"],
]);

/** Names of devices, those of other makers among them. */
export const devices =
  /^(?:cpu|cuda|ipu|xpu|mkldnn|opengl|opencl|ideep|hip|ve|fpga|maia|xla|lazy|vulkan|mps|meta|hpu|mtia|privateuseone|npu|musa|mlu|gcu|sdaa|tpu|neuron)(?::\d+)?$/u;

/** Why a member of a tensor refuses its arguments. */
export function ofMembers(
  name: string,
  args: readonly Argument[],
  self: Self | undefined,
): readonly [kind: string, message: string] | undefined {
  const placed = args.filter((each) => each.name === undefined);
  if (alone.has(name) && placed.length > 0)
    return ["TypeError", `${name}() takes no arguments (${placed.length} given)`];
  const text = textOf(placed[0]?.value);
  const isType = dtypeOf(placed[0]?.value) !== undefined;
  if (name === "to" && text !== undefined && !isType && !devices.test(text))
    return ["RuntimeError", `to(): "${text}" is the name of no device`];
  if (name === "type" && text !== undefined && !isType && !/Tensor$/u.test(text))
    return ["ValueError", `type(): "${text}" is no type of tensors`];
  const given = placed[0]?.value;
  const isOfPython = given?.kind === "class" || given?.kind === "host-function";
  if (name === "type" && isOfPython && /^(?:int|float|bool|complex)$/u.test(given.name))
    return ["ValueError", `invalid type: '${given.name}'`];
  if (name === "item") return ofItem(self);
  return name === "size" ? ofSize(args, self) : undefined;
}

function ofItem(self: Self | undefined) {
  const count = self?.shape?.reduce((product, size) => product * size, 1);
  if (count === undefined || count === 1) return undefined;
  return ["RuntimeError", `a Tensor with ${count} elements cannot be converted to Scalar`] as const;
}

function ofSize(args: readonly Argument[], self: Self | undefined) {
  const value = args.find((each) => each.name === undefined || each.name === "dim")?.value;
  if (value === undefined || value.kind === "none" || value.kind === "host") return undefined;
  const dim = integerOf(value);
  if (dim === undefined) {
    const isOdd = ["str", "list", "tuple", "float", "dict"].includes(value.kind);
    return isOdd
      ? (["TypeError", `size(): "dim" must be an integer, not ${value.kind}`] as const)
      : undefined;
  }
  const rank = self?.shape?.length;
  if (rank === undefined || (dim < rank && dim >= -rank)) return undefined;
  const range = rank === 0 ? "the tensor has none" : `${-rank} to ${rank - 1}`;
  return ["IndexError", `dim ${dim} of size() is out of range: ${range}`] as const;
}
