import { product } from "#core/arithmetic";
import { type Checked, capitalized, passed } from "#core/diagnostics";
import type { ImportChoice, PublishedFile, PublishedProgram } from "../format.ts";
import { nameFor, takenNames } from "../program-names.ts";
import { notModelled, oneLine, refused, unknownOperators } from "../refused.ts";
import { isParameter, writeWeight } from "./constants.ts";
import { decodeOnnx } from "./decode.ts";
import { writeNode } from "./nodes.ts";
import { OnnxFault, type OnnxGraph, type OnnxValue } from "./onnx-graph.ts";
import { onnxTypes, tensorText } from "./values.ts";
import { tensorTerm, type Writing } from "./writing.ts";

/** Most bytes of a file: larger models keep their weights in other files. */
const mostBytes = 256 * 1024 * 1024;

/**
 * Reads an ONNX model as a program: weights become parameters, shape computations become Python
 * arithmetic, open dims become names with sizes. An operator without an equivalent becomes a
 * registered function if the file has its shapes, else an unknown name.
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
    // Errors of the protocol-buffer reader are faults of the file.
    const why = fault instanceof OnnxFault ? fault.message : "it is no protocol buffer of ONNX";
    return refused(name, why);
  }
  if (graph.nodes.length === 0) return refused(name, "its graph has no operators");
  return passed(programOf(name, graph, choice, tell));
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
    ...{ lines: [], functions: [], terms: new Map(), names: takenNames(), shapes, values },
    ...{ unknown: new Map(), left: new Set(), opset: graph.opset },
    used: new Set([
      ...graph.nodes.flatMap((each) => each.inputs),
      ...graph.outputs.map((each) => each.name),
    ]),
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
    .reduce((sum, { shape }) => sum + product(shape), 0);
  return {
    ...{ format: "ONNX", title, program: `${lines.join("\n")}\n`, parameters, notes },
    sentence: `${title}: ${graph.nodes.length} operators of ONNX and ${graph.weights.length} tensors.`,
    ...(dims.lines.length > 0 && { choice: dims.chosen }),
  };
}

/** Definitions and names of the dims that the file leaves open, and the sizes chosen for some. */
function openDims(
  writing: Writing,
  inputs: readonly OnnxValue[],
  { batch, sequence }: { readonly batch: number; readonly sequence: number },
) {
  const names = new Map<string, string>();
  const lines: string[] = [];
  const chosen: { batch?: number; sequence?: number } = {};
  const open = inputs.flatMap(({ shape = [] }) =>
    shape.flatMap((dim, at) => (typeof dim === "string" ? [[dim, at] as const] : [])),
  );
  for (const [dim, at] of open) {
    if (names.has(dim)) continue;
    const name = nameFor(writing.names, dim);
    names.set(dim, name);
    const size = at === 0 ? batch : sequence;
    chosen[at === 0 ? "batch" : "sequence"] = size;
    lines.push(`${name} = ${size}`);
  }
  return { names, chosen, lines: lines.length === 0 ? [] : [...lines, ""] };
}

function writeInput(
  writing: Writing,
  { name, type, shape }: OnnxValue,
  dims: ReadonlyMap<string, string>,
): void {
  const own = nameFor(writing.names, name);
  const sizes = shape?.map((dim) =>
    typeof dim === "string" ? (dims.get(dim) ?? "1") : String(dim),
  );
  const dtype = onnxTypes[type]?.[0];
  if (dtype === undefined) writing.left.add(`the type of ${oneLine(name)}`);
  const parts = [
    ...(sizes === undefined
      ? []
      : [sizes.length === 1 ? `(${sizes[0]},)` : `(${sizes.join(", ")})`]),
    ...(dtype === undefined ? [] : [`"${dtype}"`]),
  ];
  writing.lines.push(`${own} = Tensor(${parts.join(", ")})`);
  writing.terms.set(name, tensorTerm(own, sizes?.length, type));
}

function resultOf(writing: Writing, name: string): string {
  const term = writing.terms.get(name);
  if (term === undefined) return oneLine(name);
  return oneLine(tensorText(term));
}
