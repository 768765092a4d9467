import { printAnnotation } from "#core/dimops";
import { type Box, containsBox, lengthOf, type Projection, sameBox } from "#core/indexspace";
import {
  type DType,
  type Graph,
  type Operator,
  type OperatorId,
  operatorId,
  parseDType,
  type Tensor,
  type TensorId,
  tensorId,
} from "#core/ir";
import { fieldOf, groupedBy } from "#core/records";
import type { NodeView, OperationView, ProgramReading, ShardView } from "#systems/system/graph";
import { headSpan, type LoomDocument, nodesIn, slotsOf, spanOf } from "./document.ts";
import type { ApplicationNode, LoomId, LoomNode, OperationNode, TensorNode } from "./graph.ts";
import { impliedPiece } from "./implied-index.ts";
import { uniqueNames } from "./names.ts";
import { inProgramOrder } from "./program-order.ts";
import { type ReadOperation, readOperation } from "./read-operator.ts";

/**
 * Reads a LoomGraph as a program: its tensors, and its operations ordered so that every tensor is
 * made before it is read.
 *
 * Operations on a cycle, and those that select from no existing tensor, are left out. If several
 * operations write a tensor, the last one is its producer.
 */
export function readProgram(document: LoomDocument): ProgramReading {
  const tensors = nodesIn(document, "Tensor");
  const sound = nodesIn(document, "Operation").filter((each) => isSound(each, document));
  const ordered = inProgramOrder(sound);
  const names = new Map([...uniqueNames(tensors), ...uniqueNames(nodesIn(document, "Operation"))]);
  const context = {
    tensors: new Map(tensors.map((tensor) => [tensor.id, tensor])),
    names,
    spaces: new Map(),
    points: new Map(),
  };
  const read = ordered.map((operation) => {
    const id = operatorId(names.get(operation.id) ?? operation.id);
    return { operation, read: readOperation(operation, id, context) };
  });
  const operators = read.map(({ operation, read: { operator } }) =>
    withSpan(operator, document, operation.id),
  );
  const graph = graphOf(document, tensors, operators, names);
  const shards = shardsOf(document);
  const sharing = { box: createSharing<Box>(), projection: createSharing<Projection>() };
  const known = new Set(operators.map(({ id }) => id));
  return {
    graph,
    reading: {
      nodes: document.graph.nodes.map((node) => nodeView(document, node, names, known)),
      operations: read.map((each) =>
        operationView(document, each, shards.get(each.operation.id) ?? [], sharing),
      ),
    },
  };
}

function isSound(operation: OperationNode, { nodes }: LoomDocument): boolean {
  return slotsOf(operation).every(({ selection: { tensorId: id, range } }) => {
    const tensor = nodes.get(id);
    if (tensor?.kind !== "Tensor" || tensor.range.length !== range.length) return false;
    return containsBox(tensor.range, range);
  });
}

function withSpan(operator: Operator, document: LoomDocument, id: LoomId): Operator {
  const span = spanOf(document, id);
  return span === undefined ? operator : { ...operator, span };
}

/** Graph with tensors in order of first use; unused tensors come last. */
function graphOf(
  document: LoomDocument,
  nodes: readonly TensorNode[],
  operators: readonly Operator[],
  names: ReadonlyMap<LoomId, string>,
): Graph {
  const producers = new Map<TensorId, OperatorId>();
  const dimNames = new Map<TensorId, readonly string[]>();
  const order = new Set<TensorId>();
  const isRead = new Set<TensorId>();
  for (const { id, inputs, outputs } of operators) {
    for (const { tensor } of inputs) isRead.add(tensor);
    for (const { tensor } of outputs) producers.set(tensor, id);
    for (const { tensor, dims } of [...outputs, ...inputs]) {
      const words = dims.map(({ identifiers }, dim) => identifiers.join("·") || `d${dim}`);
      if (!dimNames.has(tensor)) dimNames.set(tensor, words);
    }
    for (const { tensor } of [...inputs, ...outputs]) order.add(tensor);
  }
  const all = new Map(
    nodes.map((node): [TensorId, Tensor] => {
      const id = tensorId(names.get(node.id) ?? node.id);
      const words = dimNames.get(id) ?? node.range.map((_, dim) => `d${dim}`);
      return [id, tensorFrom(document, node, id, words, producers.get(id))];
    }),
  );
  const sorted = [...new Set([...order, ...all.keys()])].flatMap((id) => all.get(id) ?? []);
  const outputs = sorted.filter(({ id, producer }) => producer !== undefined && !isRead.has(id));
  return { tensors: sorted, operators, outputs: outputs.map(({ id }) => id) };
}

function tensorFrom(
  document: LoomDocument,
  { id: node, range, dtype }: TensorNode,
  id: TensorId,
  dimNames: readonly string[],
  producer: OperatorId | undefined,
): Tensor {
  const span = spanOf(document, node);
  const isMoved = range.some(({ start }) => start !== 0);
  return {
    id,
    name: id,
    shape: range.map(lengthOf),
    ...(isMoved && { start: range.map(({ start }) => start) }),
    dtype: dtypeOf(dtype),
    dtypeText: dtype,
    role: producer === undefined ? "input" : "activation",
    dimNames,
    shapeStatus: "set",
    ...(producer !== undefined && { producer }),
    ...(span !== undefined && { span }),
  };
}

/** Dtype used for byte counts: complex and unknown types map to a real one of the same length. */
function dtypeOf(text: string): DType {
  const other: Readonly<Record<string, DType>> = {
    uint16: "i16",
    uint32: "i32",
    uint64: "i64",
    complex64: "f64",
    complex128: "f64",
  };
  return parseDType(text) ?? fieldOf(other, text) ?? "f32";
}

function shardsOf(document: LoomDocument): ReadonlyMap<LoomId, readonly ApplicationNode[]> {
  return groupedBy(nodesIn(document, "Application"), (shard) => shard.operationId);
}

function nodeView(
  { json }: LoomDocument,
  node: LoomNode,
  names: ReadonlyMap<LoomId, string>,
  operators: ReadonlySet<OperatorId>,
): NodeView {
  const place = json.get(node.id);
  const none = { from: 0, to: 0 };
  const base = {
    id: node.id,
    kind: node.kind,
    ...(node.label !== undefined && { label: node.label }),
    span: place === undefined ? none : headSpan(place),
    whole: place?.span ?? none,
  };
  const name = names.get(node.kind === "Application" ? node.operationId : node.id);
  switch (node.kind) {
    case "Tensor":
      return { ...base, tensor: tensorId(name ?? node.id) };
    case "Note":
      return { ...base, message: node.message };
    case "Operation":
    case "Application": {
      const operator = operatorId(name ?? "");
      return { ...base, ...(operators.has(operator) && { operator }) };
    }
  }
}

function indexOf(operation: OperationNode, shard: ApplicationNode): Pick<ShardView, "index"> {
  const index = shard.tags.index ?? impliedPiece(operation, shard);
  return index === undefined ? {} : { index };
}

interface ReadNode {
  readonly operation: OperationNode;
  readonly read: ReadOperation;
}

interface Sharing {
  readonly box: (box: Box) => Box;
  readonly projection: (projection: Projection) => Projection;
}

function operationView(
  document: LoomDocument,
  { operation, read: { operator, slots, index, axes, unsaid } }: ReadNode,
  shards: readonly ApplicationNode[],
  sharing: Sharing,
): OperationView {
  const operands = [...operator.inputs, ...operator.outputs];
  return {
    id: operation.id,
    operator: operator.id,
    kernel: operation.kernel,
    params: Object.fromEntries(operation.params),
    isSequencePoint: operation.tags.isSequencePoint === true,
    hasIndex: operation.tags.index !== undefined,
    ...(index !== undefined && { index: sharing.box(index) }),
    axes,
    annotation: printAnnotation(operator.annotation),
    ...(unsaid.length > 0 && { unsaid }),
    operands: slots.map(({ side, name, position, selection, path, projection }, at) => {
      const tensor = document.nodes.get(selection.tensorId);
      return {
        side,
        name,
        position,
        tensor: operands[at]?.tensor ?? tensorId(selection.tensorId),
        range: sharing.box(selection.range),
        isWhole: tensor?.kind === "Tensor" && sameBox(tensor.range, selection.range),
        ...(index !== undefined &&
          projection !== undefined && { projection: sharing.projection(projection) }),
        span: spanOf(document, operation.id, path) ?? { from: 0, to: 0 },
      };
    }),
    shards: shards.map(
      (shard): ShardView => ({
        id: shard.id,
        ...(shard.label !== undefined && { label: shard.label }),
        ...indexOf(operation, shard),
        ranges: slots.map(({ side, name, position }) => shard[side].get(name)?.[position]?.range),
        span: spanOf(document, shard.id) ?? { from: 0, to: 0 },
      }),
    ),
  };
}

/**
 * Interns plain values: equal values become one object. A graph of thousands of operations has few
 * distinct ranges and projections, so results can be cached and sent faster.
 *
 * @internal
 */
export function createSharing<T>(): (value: T) => T {
  const known = new Map<string, T>();
  return (value) => {
    const key = JSON.stringify(value);
    const before = known.get(key);
    if (before !== undefined) return before;
    known.set(key, value);
    return value;
  };
}
