import { type Checked, capitalized, passed } from "#core/diagnostics";
import type { ImportChoice, PublishedFile, PublishedProgram } from "../format.ts";
import { notModelled, oneLine, refused, unknownOperators } from "../refused.ts";
import type { OnnxMade } from "./call.ts";
import {
  decodeOnnx,
  OnnxFault,
  type OnnxGraph,
  type OnnxNode,
  type OnnxTensor,
  type OnnxValue,
} from "./decode.ts";
import { operatorText } from "./operators.ts";
import { isFloatType, type OnnxTerm, onnxTypes, termText } from "./values.ts";

/** Most bytes of a file: what is larger keeps its weights apart. */
const mostBytes = 256 * 1024 * 1024;

/**
 * A model in ONNX as a program: weights are parameters, what a graph works out of shapes is
 * arithmetic of Python, open dims are names with sizes. An operator that nothing here stands for is
 * a registered function where the file says its shapes, and else a name that nothing is known of.
 */
export function readOnnx(
  file: PublishedFile,
  choice: Partial<ImportChoice>,
  tell: (operators: number) => void = () => {},
): Checked<PublishedProgram> {
  const { name, size, bytes } = file;
  if (size > mostBytes) return refused(name, "a file of ONNX is read up to 256 MiB");
  let graph: OnnxGraph;
  try {
    graph = decodeOnnx(bytes);
  } catch (fault) {
    // What the reader of protocol buffers throws is a fault of the bytes.
    const why = fault instanceof OnnxFault ? fault.message : "it is no protocol buffer of ONNX";
    return refused(name, why);
  }
  if (graph.nodes.length === 0) return refused(name, "its graph has no operators");
  return passed(programOf(name, graph, choice, tell));
}

interface Writing {
  readonly lines: string[];
  readonly functions: string[];
  readonly terms: Map<string, OnnxTerm>;
  readonly names: Map<string, number>;
  readonly shapes: Map<string, readonly number[]>;
  readonly values: ReadonlyMap<string, OnnxValue>;
  readonly unknown: Map<string, number>;
  readonly left: Set<string>;
}

function programOf(
  file: string,
  graph: OnnxGraph,
  { batch = 1, sequence = 128, isTraining = false }: Partial<ImportChoice>,
  tell: (operators: number) => void,
): PublishedProgram {
  const shapes = new Map(graph.weights.map(({ name, shape }) => [name, shape]));
  const values = new Map(
    [...graph.values, ...graph.outputs, ...graph.inputs].map((each) => [each.name, each]),
  );
  const writing: Writing = {
    ...{ lines: [], functions: [], terms: new Map(), names: new Map(taken), shapes, values },
    ...{ unknown: new Map(), left: new Set() },
  };
  const given = graph.inputs.filter(({ name }) => !shapes.has(name));
  const dims = openDims(writing, given, { batch, sequence });
  for (const each of given) writeInput(writing, each, dims.names);
  for (const each of graph.weights) writeWeight(writing, each);
  for (const [at, node] of graph.nodes.entries()) {
    writeNode(writing, node);
    tell(at + 1);
  }
  const results = graph.outputs.map(({ name }) => resultOf(writing, name));
  const notes = [
    ...unknownOperators(writing.unknown),
    ...notModelled([
      ...writing.left,
      ...(isTraining ? ["a training step: ONNX names no loss"] : []),
    ]),
  ];
  const title = oneLine(graph.name === "" ? file : graph.name);
  const said = graph.producer === "" ? "" : `, written by ${oneLine(graph.producer)}`;
  const lines = [
    `# ${title}: a model in ONNX${said}, read from ${oneLine(file)}.`,
    ...notes.map(({ message }) => `# ${capitalized(message)}.`),
    `# Results: ${results.join(", ")}`,
    ...["import torch", "import torch.nn.functional as F", "", ...dims.lines],
    ...writing.functions,
    ...writing.lines,
  ];
  const parameters = graph.weights
    .filter((each) => isParameter(each))
    .reduce((sum, { shape }) => sum + shape.reduce((product, size) => product * size, 1), 0);
  return {
    ...{ format: "ONNX", title, program: `${lines.join("\n")}\n`, parameters, notes },
    sentence: `${title}: ${graph.nodes.length} operators of ONNX and ${graph.weights.length} tensors.`,
    ...(dims.lines.length > 0 && { choice: { batch, sequence, isTraining } }),
  };
}

const taken =
  "torch F mesh Mesh Tensor Parameter place layout strategy and as assert break class continue def del elif else except for from global if import in is lambda not or pass raise return try while with yield None True False range float int sum max min abs pow round len list tuple zip map all any print train pin shapes stage reshard"
    .split(" ")
    .map((each) => [each, 1] as const);

/** A name of the program for one of the file; a second one of the same letters has a number. */
function nameFor({ names }: Writing, word: string): string {
  const plain = word
    .replaceAll(/[^A-Za-z0-9]+/gu, "_")
    .replaceAll(/^_+|_+$/gu, "")
    .slice(-80);
  const base = /^[A-Za-z]/u.test(plain) ? plain : `v_${plain}`;
  let count = (names.get(base) ?? 0) + 1;
  let name = count === 1 ? base : `${base}_${count}`;
  while (names.has(name)) {
    count += 1;
    name = `${base}_${count}`;
  }
  names.set(base, count);
  names.set(name, 1);
  return name;
}

/** Lines and names of the dims that the file leaves open. */
function openDims(
  writing: Writing,
  inputs: readonly OnnxValue[],
  { batch, sequence }: { readonly batch: number; readonly sequence: number },
) {
  const names = new Map<string, string>();
  const lines: string[] = [];
  const open = inputs.flatMap(({ shape = [] }) =>
    shape.flatMap((dim, at) => (typeof dim === "string" ? [[dim, at] as const] : [])),
  );
  for (const [dim, at] of open) {
    if (names.has(dim)) continue;
    const name = nameFor(writing, dim);
    names.set(dim, name);
    const size = at === 0 ? batch : sequence;
    lines.push(`${name} = ${size}`);
  }
  return { names, lines: lines.length === 0 ? [] : [...lines, ""] };
}

function writeInput(
  writing: Writing,
  { name, type, shape }: OnnxValue,
  dims: ReadonlyMap<string, string>,
): void {
  const own = nameFor(writing, name);
  const sizes = shape?.map((dim) =>
    typeof dim === "string" ? (dims.get(dim) ?? "1") : String(dim),
  );
  const dtype = onnxTypes[type]?.[0];
  const parts = [
    ...(sizes === undefined
      ? []
      : [sizes.length === 1 ? `(${sizes[0]},)` : `(${sizes.join(", ")})`]),
    ...(dtype === undefined ? [] : [`"${dtype}"`]),
  ];
  writing.lines.push(`${own} = Tensor(${parts.join(", ")})`);
  writing.terms.set(name, tensorTerm(own, sizes?.length));
}

function tensorTerm(text: string, rank: number | undefined): OnnxTerm {
  return { kind: "tensor", text, ...(rank !== undefined && { rank }) };
}

function isParameter({ type, shape }: OnnxTensor): boolean {
  return isFloatType(type) && shape.length > 0;
}

function writeWeight(writing: Writing, tensor: OnnxTensor): void {
  const { name, shape, type, numbers } = tensor;
  const term = constantTerm(tensor);
  if (term !== undefined) {
    writing.terms.set(name, term);
    return;
  }
  const own = nameFor(writing, name);
  const dtype = onnxTypes[type]?.[0];
  if (dtype === undefined) writing.left.add(`the type of ${oneLine(name)}`);
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const word = isParameter(tensor) ? "Parameter" : "Tensor";
  const said = numbers === undefined && word === "Tensor" ? "  # a constant of the file" : "";
  writing.lines.push(
    `${own} = ${word}(${tuple}${dtype === undefined ? "" : `, "${dtype}"`})${said}`,
  );
  writing.terms.set(name, tensorTerm(own, shape.length));
}

/** A constant that is written out where it is used: whole numbers, or one number. */
function constantTerm({ shape, type, numbers }: OnnxTensor): OnnxTerm | undefined {
  if (numbers === undefined || shape.length > 1) return undefined;
  if (type === 6 || type === 7) {
    return { kind: "ints", items: numbers.map(String), isScalar: shape.length === 0 };
  }
  const [number] = numbers;
  if (number === undefined || shape.length > 0) return undefined;
  if (type === 9) return { kind: "number", text: number === 0 ? "False" : "True" };
  if (!isFloatType(type)) return undefined;
  if (!Number.isFinite(number))
    return {
      kind: "number",
      text: `float("${Number.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf"}")`,
    };
  const text = String(Number(number.toPrecision(8)));
  return { kind: "number", text: /^-?\d+$/u.test(text) ? `${text}.0` : text };
}

function writeNode(writing: Writing, node: OnnxNode): void {
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

/** A constant among the operators: one number stands where it is used, whatever its shape. */
function writeConstant(writing: Writing, tensor: OnnxTensor): void {
  const isOne = tensor.numbers?.length === 1 && isFloatType(tensor.type);
  writeWeight(writing, isOne ? { ...tensor, shape: [] } : tensor);
}

/** A constant whose numbers stand in the attribute itself. */
function attributeTensor({ attributes }: OnnxNode): OnnxTensor | undefined {
  const int = attributes.get("value_int")?.int;
  if (int !== undefined) return { name: "", shape: [], type: 7, numbers: [int] };
  const ints = attributes.get("value_ints")?.ints;
  if (ints !== undefined) return { name: "", shape: [ints.length], type: 7, numbers: ints };
  const float = attributes.get("value_float")?.float;
  return float === undefined ? undefined : { name: "", shape: [], type: 1, numbers: [float] };
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
  const own = isKnown ? text : nameFor(writing, output);
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
  const names = node.outputs.map((each) => nameFor(writing, each));
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
  const called = nameFor(writing, node.op);
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
  const names = outputs.map((each) => nameFor(writing, each));
  lines.push(`${names.length === 0 ? "" : `${names.join(", ")} = `}${called}(${texts.join(", ")})`);
  for (const [at, output] of outputs.entries()) {
    terms.set(output, tensorTerm(names[at] ?? "", values.get(output)?.shape?.length));
  }
}

function resultOf(writing: Writing, name: string): string {
  const term = writing.terms.get(name);
  if (term === undefined) return oneLine(name);
  return oneLine(termText(term));
}
