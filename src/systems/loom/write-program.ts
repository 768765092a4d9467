import type { Diagnostic } from "#core/diagnostics";
import { type Argument, type Bound, bindAnnotation, indexBoxOf, projectionsOf } from "#core/dimops";
import { boxOf, projectBox, sameBox } from "#core/indexspace";
import { entryOf, type Graph, type Operator, type Tensor, type TensorId } from "#core/ir";
import { defaultDtypes } from "./dtypes.ts";
import { type LoomOperand, loomAxes, operationNode, paramsOf, tensorNode } from "./from-dimops.ts";
import type { LoomGraph, OperationNode, Selection, TensorNode } from "./graph.ts";
import { loomId } from "./graph.ts";
import { uuidFrom } from "./uuid.ts";

/** A program written as a LoomGraph, with diagnostics for parts that could not be written. */
export interface WrittenProgram {
  readonly graph: LoomGraph;
  /** One entry per operator of the program, in its order. */
  readonly operations: readonly WrittenOperation[];
  readonly diagnostics: readonly Diagnostic[];
}

/** An operator with its node, and its index axes. */
export interface WrittenOperation {
  readonly operator: Operator;
  readonly node: OperationNode;
  readonly axes: readonly string[];
  readonly bound?: Bound;
}

/**
 * Writes a program of annotated operators as a LoomGraph: every tensor a Tensor, every operator an
 * Operation with index and signature (loom.md §5). A scalar becomes a tensor of one cell, since
 * Loom cannot read projections onto rank 0. An operator without projections becomes an Operation
 * without a signature, with a diagnostic.
 */
export function loomOfProgram(
  graph: Graph,
  formOf: (operator: Operator) => "closed" | "open" = () => "closed",
): WrittenProgram {
  const tensors = new Map(graph.tensors.map((tensor) => [tensor.id, nodeOf(tensor)]));
  const diagnostics: Diagnostic[] = [];
  const operations = graph.operators.map((operator): WrittenOperation => {
    const written = signed(operator, tensors, graph, formOf(operator));
    if (typeof written !== "string") return written;
    diagnostics.push(withoutIndex(operator, written));
    return { operator, node: unsigned(operator, tensors), axes: [] };
  });
  const nodes = [...tensors.values(), ...operations.map(({ node }) => node)];
  const names = graph.operators.map(({ name }) => name).join(" ");
  return { graph: { id: loomId(uuidFrom(`program ${names}`)), nodes }, operations, diagnostics };
}

function nodeOf({ name, shape, dtype, dtypeText }: Tensor): TensorNode {
  const range = boxOf(shape.length === 0 ? [1] : shape);
  const type = defaultDtypes.includes(dtypeText) ? dtypeText : (longNames[dtype] ?? dtypeText);
  return tensorNode(name, type, range, name);
}

const longNames: Readonly<Partial<Record<string, string>>> = {
  ...{ f64: "float64", f32: "float32", f16: "float16", bf16: "bfloat16", bool: "bool" },
  ...{ i64: "int64", i32: "int32", i16: "int16", i8: "int8", u8: "uint8" },
};

/** An operator's node with index and signature, or why it has none. */
function signed(
  operator: Operator,
  tensors: ReadonlyMap<TensorId, TensorNode>,
  graph: Graph,
  form: "closed" | "open",
): WrittenOperation | string {
  const bound = boundOf(operator, graph);
  if (bound === undefined) return "its annotation does not bind to its tensors alone";
  const axes = loomAxes(bound, form);
  const index = indexBoxOf(bound, axes);
  const projections = projectionsOf(bound, axes);
  const given = [...operator.inputs];
  const operands: LoomOperand[] = [];
  for (const [at, projection] of projections.entries()) {
    const isOutput = at >= bound.inputs.length;
    if (bound.inputs[at]?.kind === "plain") continue;
    const position = at - bound.inputs.length;
    const operand = isOutput ? operator.outputs[position] : given.shift();
    const tensor = operand && tensors.get(operand.tensor);
    const name = isOutput ? `y${position}` : inputName(operator, at);
    if (projection === undefined || tensor === undefined) {
      return `nothing is said of ${isOutput ? "output" : "input"} "${name}" ("?")`;
    }
    if (!sameBox(projectBox(projection, index), tensor.range)) {
      return `its annotation does not lead to the shape of "${tensor.label}"`;
    }
    operands.push({ operand: at, name, isOutput, projection, tensor });
  }
  const node = operationNode(operator.name, index, operands, {
    ...paramsOf(bound, axes),
    arguments: bound.inputs.map((_, at) => argumentAt(bound, operands, at)),
    ...attributesOf(operator),
  });
  return { operator, node: named(node, operator), axes, bound };
}

function argumentAt(bound: Bound, operands: readonly LoomOperand[], at: number) {
  const input = bound.inputs[at];
  if (input?.kind === "plain") return { value: input.value };
  return operands.find(({ operand }) => operand === at)?.name ?? null;
}

/** The annotation of an operator bound to its shapes; rank 0 is bound as one cell. */
function boundOf({ annotation, inputs, axes }: Operator, graph: Graph): Bound | undefined {
  const shapes = new Map(graph.tensors.map(({ id, shape }) => [id, shape]));
  const given = [...inputs];
  const surplus = annotation.inputs.filter(({ ignored }) => !ignored).length < inputs.length;
  const list = annotation.inputs.map(({ ignored }): Argument => {
    if (ignored && !surplus) return { kind: "plain", value: null };
    const shape = shapes.get(given.shift()?.tensor ?? inputs[0]?.tensor ?? ("" as TensorId)) ?? [];
    return { kind: "tensor", shape };
  });
  const sizes = Object.fromEntries(axes.map(({ name, size }) => [name, size]));
  const bound = bindAnnotation(annotation, list, sizes);
  return bound.ok && given.length === 0 ? bound.value : undefined;
}

function inputName({ entry }: Operator, at: number): string {
  const name = entry === undefined ? undefined : entryOf(entry)?.parameters[at];
  return name !== undefined && /^[a-zA-Z_]\w*$/.test(name) ? name : `x${at}`;
}

function attributesOf({ attributes }: Operator) {
  const kept = Object.entries(attributes).filter(([name, value]) => {
    const isWritten = [value]
      .flat()
      .every((each) => typeof each !== "number" || Number.isFinite(each));
    return isWritten && /^[a-zA-Z_]\w*$/.test(name);
  });
  return Object.fromEntries(kept);
}

function named(node: OperationNode, { op, entry }: Operator): OperationNode {
  return { ...node, kernel: entry ?? op };
}

/** An Operation without index and signature: only the tensors it reads and writes. */
function unsigned(operator: Operator, tensors: ReadonlyMap<TensorId, TensorNode>): OperationNode {
  const selectionOf = (id: TensorId): readonly Selection[] => {
    const tensor = tensors.get(id);
    return tensor === undefined ? [] : [{ tensorId: tensor.id, range: tensor.range }];
  };
  const node: OperationNode = {
    kind: "Operation",
    id: loomId(uuidFrom(`operation ${operator.name}`)),
    label: operator.name,
    kernel: "",
    params: new Map(Object.entries(attributesOf(operator))),
    inputs: new Map(operator.inputs.map(({ tensor }, at) => [`x${at}`, selectionOf(tensor)])),
    outputs: new Map(operator.outputs.map(({ tensor }, at) => [`y${at}`, selectionOf(tensor)])),
    tags: {},
  };
  return named(node, operator);
}

function withoutIndex({ name, span }: Operator, why: string): Diagnostic {
  return {
    code: "loom/no-signature",
    severity: "warning",
    message: `"${name}" is written without an index, so that it cannot be sharded: ${why}`,
    ...(span !== undefined && { span }),
  };
}
