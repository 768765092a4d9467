import type {
  LayoutSpec,
  ShardStrategy,
  TracedOperator,
  TracedTensor,
} from "#language/document/trace";
import type { MeshAtoms } from "#systems/arrays";
import type { Cell, CellCall, CellTensor } from "./cell.ts";
import { type CellStrategy, mapOf } from "./strategy.ts";

const nowhere = { from: 0, to: 0 };

/**
 * The operators of a cell in the form of a trace of its text, and the tensor of the cell for each
 * traced one.
 */
export function cellTrace({ calls, mesh }: Cell): {
  readonly operators: readonly TracedOperator[];
  readonly tensorOf: ReadonlyMap<TracedTensor, CellTensor>;
} {
  const traced = new Map<CellTensor, TracedTensor>();
  const tracedOf = (tensor: CellTensor, producer?: TracedOperator): TracedTensor => {
    const known = traced.get(tensor) ?? tracedTensor(tensor, producer);
    traced.set(tensor, known);
    return known;
  };
  const operators = calls.map((call) => {
    const operator = tracedOperator(call, mesh);
    const inputs = call.operands.map((operand) => tracedOf(operand));
    const made: TracedOperator = Object.assign(operator, { inputs });
    made.outputs = [tracedOf(call.result, made)];
    return made;
  });
  return { operators, tensorOf: new Map([...traced].map(([tensor, each]) => [each, tensor])) };
}

function tracedTensor(tensor: CellTensor, producer: TracedOperator | undefined): TracedTensor {
  return {
    kind: "tensor",
    ...{ role: tensor.role, shape: tensor.shape, shapeStatus: "set" },
    ...{ dtype: tensor.dtype, dtypeText: tensor.dtype, isModuleVariable: true },
    ...{ frames: [], span: nowhere },
    ...(producer !== undefined && { producer }),
  };
}

function tracedOperator({ primitive, strategy }: CellCall, mesh: MeshAtoms): TracedOperator {
  const { op, trailing } = primitive;
  const isSelfDefined = strategy.kind === "layouts" && strategy.isSelfDefined === true;
  const attribute = { name: "self_define_shard", value: true, span: nowhere };
  return {
    ...{ op, stem: op, annotations: [], inputs: [], outputs: [], integers: {} },
    ...{ linear: [], reducesInside: false, frames: [], span: nowhere },
    primitive: {
      arguments: { ...primitive.arguments, ...Object.fromEntries(trailing) },
      attributes: isSelfDefined ? [attribute] : [],
    },
    strategy: shardOf(strategy, mesh),
  };
}

function shardOf(strategy: CellStrategy, mesh: MeshAtoms): ShardStrategy {
  if (strategy.kind === "tuples")
    return { kind: "tuples", values: strategy.inputs, tree: undefined, span: nowhere };
  const spec: LayoutSpec = {
    ...{ deviceMatrix: mesh.sizes, aliasName: mesh.names, isInterleaved: false },
    rankList: mesh.sizes.map((_, at) => at),
  };
  const called = (dims: readonly (readonly string[])[]) => ({
    spec,
    dims: mapOf(dims, mesh).map((entry) => ({ axes: [], span: nowhere, entry })),
  });
  const { inputs, output } = strategy;
  return {
    ...{ kind: "layouts", inputs: inputs.map(called), span: nowhere },
    ...(output && { outputs: [called(output)] }),
  };
}
