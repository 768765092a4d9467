import { fieldOf } from "#core/records";
import type { TracedOperator } from "#language/document/trace";

/**
 * Operators of the library whose MindSpore primitive has the same name: `less_equal`, LessEqual.
 */
const sameNamed = [
  ..."cast add sub mul div pow maximum minimum neg abs log sqrt rsqrt square tanh".split(" "),
  ..."sigmoid exp softmax log_softmax reshape concat broadcast_to equal less less_equal".split(" "),
  ..."not_equal logical_not logical_and logical_or logical_xor".split(" "),
  ..."greater greater_equal expand_dims erf floor ceil sin cos reciprocal".split(" "),
];

/**
 * MindSpore's primitive for each library operator that its functions and Python's operators call.
 */
const primitives: Readonly<Record<string, string>> = {
  ...Object.fromEntries(sameNamed.map((name) => [name, primitiveNamed(name)])),
  ...{ matmul: "MatMulExt", relu: "ReLU", gelu: "GeLU", silu: "SiLU" },
  ...{ sum: "SumExt", mean: "ReduceMean", amax: "ReduceMax", amin: "ReduceMin" },
  ...{ permute: "Transpose", transpose: "Transpose", flatten: "Reshape", expand: "BroadcastTo" },
  ...{ floor_divide: "FloorDiv", remainder: "RemainderTensorTensor", ne: "NotEqual" },
  ...{ bitwise_and: "BitwiseAnd", bitwise_or: "BitwiseOr", bitwise_xor: "BitwiseXor" },
  unsqueeze: "ExpandDims",
};

/** The name of a primitive from that of its function: `AddExt` of `add_ext`. */
export function primitiveNamed(name: string): string {
  return name
    .split("_")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
}

/** Primitives of Python's operators between a tensor and a number on the right. */
const withNumber: Readonly<Record<string, string>> = {
  Mul: "Muls",
  Div: "Divs",
  RemainderTensorTensor: "RemainderTensorScalar",
  Equal: "EqScalar",
  Less: "LessScalar",
};

/** The mirrored comparison, used when the number is on the left. */
const turned: Readonly<Record<string, string>> = {
  ...{ Less: "Greater", LessEqual: "GreaterEqual", Greater: "Less", GreaterEqual: "LessEqual" },
};

/** The primitive that a call becomes in MindSpore's graph (2.10, as recorded from its compiler). */
export function primitiveName(traced: TracedOperator): string {
  const { op, primitive, entry, inputs, reducesInside } = traced;
  if (primitive !== undefined) return op;
  const name = fieldOf(primitives, entry ?? "") ?? fieldOf(primitives, op) ?? op;
  if (traced.isUpdate === true) return updateName(name, inputs);
  const isOperator = !reducesInside && inputs.filter(isOperand).length === 1;
  if (!isOperator) return name;
  const isTurned = inputs[0] !== undefined && !isOperand(inputs[0]);
  if (isTurned && name === "Div") return name;
  const own = isTurned ? (fieldOf(turned, name) ?? name) : name;
  return fieldOf(withNumber, own) ?? own;
}

type Input = TracedOperator["inputs"][number];

/** Whether an operand is a tensor that does not stand for a Python number. */
function isOperand(input: Input): boolean {
  return input.kind === "tensor" && !isMadeNumber(input);
}

/** Whether a tensor stands for a number from `item()`, or is computed only from such numbers. */
function isMadeNumber(input: Input): boolean {
  if (input.kind !== "tensor" || input.producer === undefined) return false;
  return input.producer.op === "TensorToScalar" || isOfNumbers(input.producer);
}

/** Whether a Python operator works only on such numbers: MindSpore has no primitive for it. */
export function isOfNumbers({ primitive, inputs }: TracedOperator): boolean {
  const tensors = inputs.filter(({ kind }) => kind === "tensor");
  return primitive === undefined && tensors.length > 0 && tensors.every(isMadeNumber);
}

/** The primitives of Python's `a op= b`, for a tensor `b` and for a number. */
const updates: Readonly<Record<string, readonly [tensor: string, number: string]>> = {
  Add: ["InplaceAddExt", "InplaceAddsExt"],
  Sub: ["InplaceSubExt", "InplaceSubScalar"],
  Mul: ["InplaceMul", "InplaceMuls"],
  Div: ["InplaceDiv", "InplaceDivs"],
  FloorDiv: ["InplaceFloorDivide", "InplaceFloorDivides"],
  RemainderTensorTensor: ["InplaceRemainderTensorTensor", "InplaceRemainderTensorScalar"],
};

function updateName(name: string, [, other]: TracedOperator["inputs"]): string {
  const [tensor, number] = fieldOf(updates, name) ?? [name, name];
  return other?.kind === "tensor" ? tensor : number;
}

const updatesByNumber: ReadonlySet<string> = new Set(
  Object.values(updates).map(([, number]) => number),
);

/**
 * Whether Python's operator divides a number by a tensor, which becomes a product with the
 * reciprocal.
 */
export function isReciprocal({ op, primitive, inputs }: TracedOperator): boolean {
  if (inputs[0]?.kind !== "plain") return false;
  return primitive === undefined ? op === "div" : op === "Divs";
}

/**
 * Whether a primitive stores its number operand as an attribute, so that its strategy has no tuple
 * for it.
 */
export function holdsNumber(op: string): boolean {
  return Object.values(withNumber).includes(op) || updatesByNumber.has(op);
}
