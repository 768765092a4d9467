import { nameFor } from "../program-names.ts";
import { oneLine } from "../refused.ts";
import type { OnnxMade } from "./call.ts";
import { attributeTensor, writeConstant } from "./constants.ts";
import type { OnnxNode } from "./onnx-graph.ts";
import { operatorText } from "./operators.ts";
import { rankOf, typeOf } from "./results.ts";
import { type OnnxTerm, onnxTypes, termText } from "./values.ts";
import { tensorTerm, type Writing } from "./writing.ts";

/**
 * Writes an operator of the file as a program line, or as a term that is inlined where its result
 * is used.
 */
export function writeNode(writing: Writing, node: OnnxNode): void {
  const { terms, shapes } = writing;
  const [output = ""] = node.outputs;
  const inputs = node.inputs.map((name) => (name === "" ? undefined : terms.get(name)));
  if (node.op === "Constant") {
    const tensor = node.attributes.get("value")?.tensor;
    const constant = tensor ?? attributeTensor(node);
    if (constant !== undefined) writeConstant(writing, { ...constant, name: output });
    return;
  }
  const isOwn = node.domain === "" || node.domain === "ai.onnx";
  const isWhole = node.inputs.every((name) => name === "" || terms.has(name));
  const shapeOf = (at: number) => {
    const name = node.inputs[at] ?? "";
    const known = shapes.get(name) ?? writing.values.get(name)?.shape;
    const isKnown = known?.every((size) => typeof size === "number") === true;
    return isKnown ? (known as readonly number[]) : undefined;
  };
  if (node.op === "Split" && splitNode(writing, node, inputs, shapeOf(0))) return;
  const [first = ""] = node.inputs;
  const passed = shapes.get(first);
  if (node.op === "Identity" && passed !== undefined) shapes.set(output, passed);
  // Further results of an operator, such as a mask or a mean, have no form here.
  const isOne = !node.outputs.slice(1).some((name) => writing.used.has(name));
  const { opset } = writing;
  const made =
    isOwn && isWhole && isOne ? operatorText({ node, inputs, shapeOf, opset }) : undefined;
  if (made === undefined) opaqueNode(writing, node, inputs);
  else
    setResult(writing, output, made, rankOf(writing, node, inputs), typeOf(writing, node, inputs));
}

function setResult(
  writing: Writing,
  output: string,
  made: Exclude<OnnxMade, undefined>,
  rank: number | undefined,
  type: number | undefined,
): void {
  if (typeof made !== "string" && made.kind !== "tensor") {
    writing.terms.set(output, made);
    return;
  }
  const text = typeof made === "string" ? made : made.text;
  const isKnown = typeof made !== "string" && /^\w+$/u.test(text);
  const own = isKnown ? text : nameFor(writing.names, output);
  if (!isKnown) writing.lines.push(`${own} = ${text}`);
  const known = typeof made === "string" ? undefined : made;
  writing.terms.set(output, tensorTerm(own, known?.rank ?? rank, known?.type ?? type));
}

function splitNode(
  writing: Writing,
  node: OnnxNode,
  inputs: readonly (OnnxTerm | undefined)[],
  shape: readonly number[] | undefined,
): boolean {
  const [x, sizes] = inputs;
  const axis = node.attributes.get("axis")?.int ?? 0;
  const count = node.outputs.length;
  if (x?.kind !== "tensor" || (sizes !== undefined && sizes.kind !== "ints")) return false;
  const own =
    node.attributes.get("split")?.ints?.map(String) ??
    (sizes?.kind === "ints" ? sizes.items : evenParts(shape?.at(axis), count));
  if (own !== undefined && own.length !== count) return false;
  const names = node.outputs.map((each) => nameFor(writing.names, each));
  const how =
    own === undefined
      ? `torch.chunk(${x.text}, ${count}, ${axis})`
      : `torch.split(${x.text}, [${own.join(", ")}], ${axis})`;
  writing.lines.push(`${names.join(", ")}${count === 1 ? "," : ""} = ${how}`);
  for (const [at, output] of node.outputs.entries())
    writing.terms.set(output, tensorTerm(names[at] ?? "", x.rank, x.type));
  return true;
}

/**
 * Sizes of `count` equal parts, the last of which may be smaller; empty when it would have no
 * element.
 */
function evenParts(size: number | undefined, count: number): readonly string[] | undefined {
  if (size === undefined) return undefined;
  const part = Math.ceil(size / count);
  const last = size - part * (count - 1);
  return last < 1
    ? []
    : Array.from({ length: count }, (_, at) => String(at < count - 1 ? part : last));
}

/** Writes an unsupported operator: as a registered function if the file has all shapes. */
function opaqueNode(
  writing: Writing,
  node: OnnxNode,
  inputs: readonly (OnnxTerm | undefined)[],
): void {
  const { unknown, lines, functions, values, shapes, terms } = writing;
  const known = node.domain === "" ? node.op : `${node.domain}.${node.op}`;
  unknown.set(oneLine(known), (unknown.get(oneLine(known)) ?? 0) + 1);
  const fixed = (name: string) => {
    const shape = shapes.get(name) ?? values.get(name)?.shape;
    return shape?.every((size) => typeof size === "number" && size > 0) === true
      ? shape
      : undefined;
  };
  const given = node.inputs.filter((_, at) => inputs[at]?.kind === "tensor");
  const outputs = node.outputs.filter((each) => each !== "");
  const called = nameFor(writing.names, node.op);
  const ranges = [given, outputs].map((list) => list.map(fixed));
  if (given.length > 0 && ranges.flat().every((each) => each !== undefined)) {
    const [from, to] = ranges.map((list) =>
      list
        .map((shape) => (shape?.length ? shape.map((size) => `${size}^`).join(" ") : "1^"))
        .join(", "),
    );
    functions.push(
      `# ${oneLine(known)}: no operator here stands for it, so nothing of it is cut.`,
      ...[
        `# annotation: ${from} -> ${to}`,
        `def ${called}(${given.map((_, at) => `x${at}`).join(", ")}):`,
      ],
      ...["    ...", ""],
    );
  }
  const texts = inputs.flatMap((each) => (each?.kind === "tensor" ? [termText(each)] : []));
  const [from] = inputs.flatMap((each) => (each?.kind === "tensor" ? [each] : []));
  const names = outputs.map((each) => nameFor(writing.names, each));
  lines.push(`${names.length === 0 ? "" : `${names.join(", ")} = `}${called}(${texts.join(", ")})`);
  for (const [at, output] of outputs.entries()) {
    const value = values.get(output);
    // A registered function returns the dtype of its first operand, and at least one dim.
    const word = value?.type === from?.type ? undefined : onnxTypes[value?.type ?? 0]?.[1];
    const made = `${names[at]}${value?.shape?.length === 0 ? ".squeeze()" : ""}${word === undefined ? "" : `.to(${word})`}`;
    const own = made === names[at] ? made : nameFor(writing.names, output);
    if (made !== own) lines.push(`${own} = ${made}`);
    terms.set(output, tensorTerm(own, value?.shape?.length, value?.type));
  }
}
