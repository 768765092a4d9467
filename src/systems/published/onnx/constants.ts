import { nameFor } from "../program-names.ts";
import { oneLine } from "../refused.ts";
import type { OnnxNode, OnnxTensor } from "./onnx-graph.ts";
import { isFloatType, type OnnxTerm, onnxTypes } from "./values.ts";
import { tensorTerm, type Writing } from "./writing.ts";

/** Whether a tensor of the file counts as trained: floating point, and not a scalar. */
export function isParameter({ type, shape }: OnnxTensor): boolean {
  return isFloatType(type) && shape.length > 0;
}

/** Writes a tensor of the file: inlined if it is a small constant, else as a parameter or input. */
export function writeWeight(writing: Writing, tensor: OnnxTensor, isOne = false): void {
  const { name, shape, type, numbers } = tensor;
  const term = constantTerm(tensor, isOne);
  if (term !== undefined) {
    writing.terms.set(name, term);
    return;
  }
  const own = nameFor(writing.names, name);
  const dtype = onnxTypes[type]?.[0];
  if (dtype === undefined) writing.left.add(`the type of ${oneLine(name)}`);
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const word = isParameter(tensor) ? "Parameter" : "Tensor";
  const said = numbers === undefined && word === "Tensor" ? "  # a constant of the file" : "";
  writing.lines.push(
    `${own} = ${word}(${tuple}${dtype === undefined ? "" : `, "${dtype}"`})${said}`,
  );
  writing.terms.set(name, tensorTerm(own, shape.length, type));
}

/** Term of a constant that is inlined: a list of integers, or a single number. */
function constantTerm({ shape, type, numbers }: OnnxTensor, isOne: boolean): OnnxTerm | undefined {
  if (numbers === undefined || (shape.length > 1 && !isOne)) return undefined;
  if ((type === 6 || type === 7) && shape.length <= 1) {
    return { kind: "ints", items: numbers.map(String), isScalar: shape.length === 0, type };
  }
  const [number] = numbers;
  if (number === undefined || (shape.length > 0 && !isOne)) return undefined;
  const rank = shape.length;
  if (type === 9) return { kind: "number", text: number === 0 ? "False" : "True", rank, type };
  if (!isFloatType(type)) return undefined;
  if (!Number.isFinite(number))
    return {
      kind: "number",
      text: `float("${Number.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf"}")`,
      ...{ rank, type },
    };
  const text = String(Number(number.toPrecision(8)));
  return { kind: "number", text: /^-?\d+$/u.test(text) ? `${text}.0` : text, rank, type };
}

/** Writes the result of a Constant node; a single number is inlined whatever its dims. */
export function writeConstant(writing: Writing, tensor: OnnxTensor): void {
  const isOne = tensor.numbers?.length === 1 && isFloatType(tensor.type);
  writeWeight(writing, tensor, isOne);
}

/** A constant whose numbers are stored in the attribute itself. */
export function attributeTensor({ attributes }: OnnxNode): OnnxTensor | undefined {
  const int = attributes.get("value_int")?.int;
  if (int !== undefined) return { name: "", shape: [], type: 7, numbers: [int] };
  const ints = attributes.get("value_ints")?.ints;
  if (ints !== undefined) return { name: "", shape: [ints.length], type: 7, numbers: ints };
  const float = attributes.get("value_float")?.float;
  return float === undefined ? undefined : { name: "", shape: [], type: 1, numbers: [float] };
}
