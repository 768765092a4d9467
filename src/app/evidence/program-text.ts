import { required } from "#core/records";
import notation from "./data/operators.json" with { type: "json" };

/** One measured operator: its name, the dtype of its arrays, and its shape. */
export interface MeasuredOperator {
  readonly op: string;
  readonly dtype: string;
  readonly shape: readonly number[];
}

const notations = new Map(Object.entries(notation.operators));

const backwardWord = "-forward-backward";

/** Whether the row includes the backward pass. */
export function hasBackward(op: string): boolean {
  return op.includes(backwardWord);
}

/** The dim names of a row's shape, in order. */
export function dimNames(op: string): readonly string[] {
  return required(notations, op.replace(backwardWord, ""), "operator").dims.split(" ");
}

/**
 * A program of one operator. With a backward pass its arrays are trained by plain gradient descent:
 * the measured accumulation into an existing gradient reads and writes as much as that update.
 */
export function operatorProgram({ op, dtype, shape }: MeasuredOperator, chip: string): string {
  const { dims, arrays, call } = required(notations, op.replace(backwardWord, ""), "operator");
  const sizes = new Map(dims.split(" ").map((name, at) => [name, String(shape[at])]));
  const filled = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => (name === "chip" ? chip : sizeOf(name)));
  const sizeOf = (name: string) => required(sizes, name, "dim");
  const trains = hasBackward(op) || op === "adamw";
  const lines = arrays.map((array) => {
    const [name = "", axes = ""] = array.split(": ");
    const extents = axes.split(" ").map((axis) => `${sizeOf(axis)},`);
    const isIndex = name === "i";
    const kind = trains && !isIndex ? "Parameter" : "Tensor";
    return `${name} = ${kind}((${extents.join(" ")}), "${isIndex ? "int64" : storageOf(dtype)}")`;
  });
  return [
    ...notation.head.map(filled),
    ...(dtype === "tf32" ? [notation.tf32] : []),
    ...lines,
    `y = ${filled(call)}`,
    ...(trains ? [`train(y, optimizer="${op === "adamw" ? op : "sgd"}")`] : []),
    "",
  ].join("\n");
}

/**
 * Storage dtype: products in tf32 read f32 arrays; f8 has two forms, and weights and activations
 * use e4m3.
 */
function storageOf(dtype: string): string {
  return dtype === "tf32" ? "f32" : dtype === "f8" ? "f8e4m3" : dtype;
}

/** The program with `compiled=True` in its `train(…)`. */
export function compiledProgram(program: string): string {
  return program.replace(/^train\((\w+), /m, "train($1, compiled=True, ");
}
