import { nameFor } from "../program-names.ts";
import { oneLine } from "../refused.ts";
import type { OnnxMade } from "./call.ts";
import { attributeTensor, writeConstant } from "./constants.ts";
import type { OnnxNode } from "./decode.ts";
import { operatorText } from "./operators.ts";
import { type OnnxTerm, termText } from "./values.ts";
import { tensorTerm, type Writing } from "./writing.ts";

/** An operator of the file as a line of the program, or as what stands where its result is used. */
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
  if (node.op === "Split" && splitNode(writing, node, inputs)) return;
  const isOwn = node.domain === "" || node.domain === "ai.onnx";
  const isWhole = node.inputs.every((name) => name === "" || terms.has(name));
  const shapeOf = (at: number) => {
    const name = node.inputs[at] ?? "";
    const known = shapes.get(name) ?? writing.values.get(name)?.shape;
    const isKnown = known?.every((size) => typeof size === "number") === true;
    return isKnown ? (known as readonly number[]) : undefined;
  };
  const [first = ""] = node.inputs;
  const passed = shapes.get(first);
  if (node.op === "Identity" && passed !== undefined) shapes.set(output, passed);
  const made = isOwn && isWhole ? operatorText({ node, inputs, shapeOf }) : undefined;
  if (made === undefined) opaqueNode(writing, node, inputs);
  else setResult(writing, output, made, rankOf(writing, node, inputs));
}

function setResult(
  writing: Writing,
  output: string,
  made: Exclude<OnnxMade, undefined>,
  rank: number | undefined,
): void {
  if (typeof made !== "string" && made.kind !== "tensor") {
    writing.terms.set(output, made);
    return;
  }
  const text = typeof made === "string" ? made : made.text;
  const isKnown = typeof made !== "string" && /^\w+$/u.test(text);
  const own = isKnown ? text : nameFor(writing.names, output);
  if (!isKnown) writing.lines.push(`${own} = ${text}`);
  writing.terms.set(output, tensorTerm(own, typeof made === "string" ? rank : (made.rank ?? rank)));
}

const sameRank: ReadonlySet<string> = new Set([
  ...[
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Pow",
    "Where",
    "MatMul",
    "Equal",
    "Less",
    "Greater",
    "Max",
    "Min",
  ],
]);

/** How many dims a result has, where that follows: a graph asks for the sizes of its tensors. */
function rankOf(
  { values }: Writing,
  { op, outputs, attributes }: OnnxNode,
  inputs: readonly (OnnxTerm | undefined)[],
): number | undefined {
  const said = values.get(outputs[0] ?? "")?.shape?.length;
  if (said !== undefined) return said;
  const ranks = inputs.map((each) => (each?.kind === "tensor" ? each.rank : 0));
  const [x, y] = ranks;
  if (sameRank.has(op))
    return ranks.some((each) => each === undefined)
      ? undefined
      : Math.max(...ranks.map((each) => each ?? 0));
  if (op === "Transpose") return attributes.get("perm")?.ints?.length ?? x;
  if (op === "Gather") {
    const index = inputs[1];
    const own = index?.kind === "ints" ? (index.isScalar ? 0 : 1) : y;
    return x === undefined || own === undefined ? undefined : x - 1 + own;
  }
  if (op === "Flatten") return 2;
  if (["Unsqueeze", "Squeeze", "ArgMax", "Expand", "Einsum"].includes(op)) return undefined;
  return op.startsWith("Reduce") && attributes.get("keepdims")?.int === 0 ? undefined : x;
}

function splitNode(
  writing: Writing,
  node: OnnxNode,
  inputs: readonly (OnnxTerm | undefined)[],
): boolean {
  const [x, sizes] = inputs;
  const axis = node.attributes.get("axis")?.int ?? 0;
  const own =
    node.attributes.get("split")?.ints?.map(String) ??
    (sizes?.kind === "ints" ? sizes.items : undefined);
  if (x?.kind !== "tensor") return false;
  const names = node.outputs.map((each) => nameFor(writing.names, each));
  const how =
    own === undefined
      ? `torch.chunk(${x.text}, ${names.length}, ${axis})`
      : `torch.split(${x.text}, [${own.join(", ")}], ${axis})`;
  writing.lines.push(`${names.join(", ")} = ${how}`);
  for (const [at, output] of node.outputs.entries())
    writing.terms.set(output, tensorTerm(names[at] ?? "", x.rank));
  return true;
}

/** An operator that nothing stands for: registered where the file says all shapes. */
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
  const names = outputs.map((each) => nameFor(writing.names, each));
  lines.push(`${names.length === 0 ? "" : `${names.join(", ")} = `}${called}(${texts.join(", ")})`);
  for (const [at, output] of outputs.entries()) {
    terms.set(output, tensorTerm(names[at] ?? "", values.get(output)?.shape?.length));
  }
}
