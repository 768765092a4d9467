import type { Graph, Operand, Operator, Tensor, TensorId } from "#core/ir";

/** The operators that run once per micro-batch: all but updates. */
export function operatorsOfRuns({ operators }: Graph): readonly Operator[] {
  return operators.filter(({ phase }) => phase !== "update");
}

/**
 * Outermost identifier of a dim whose size is not 1; it counts the dim's rows. `undefined` if there
 * is none.
 */
export function leadOf({ axes }: Operator, operand: Operand, dim: number): string | undefined {
  const first = operand.dims[dim]?.identifiers.find(
    (name) => name !== "1" && axes.find((axis) => axis.name === name)?.size !== 1,
  );
  return axes.some(({ name }) => name === first) ? first : undefined;
}

/** Whether some operand's batch dim has no identifier. */
export function hasNamelessRows(operator: Operator, dims: ReadonlyMap<TensorId, number>): boolean {
  return [...operator.inputs, ...operator.outputs].some((operand) => {
    const dim = dims.get(operand.tensor);
    return dim !== undefined && leadOf(operator, operand, dim) === undefined;
  });
}

/** The known identifiers of an operator that count rows of the batch. */
export function rowIdentifiers(
  operator: Operator,
  dims: ReadonlyMap<TensorId, number>,
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const operand of [...operator.inputs, ...operator.outputs]) {
    const dim = dims.get(operand.tensor);
    const name = dim === undefined ? undefined : leadOf(operator, operand, dim);
    if (name !== undefined) names.add(name);
  }
  return names;
}

/**
 * The tensors with rows of the batch, and the dim of the rows: the leading dim of the first input
 * that the loss depends on, and all dims that operators tie to it by an identifier. So every input
 * whose leading dim is the batch is among them.
 */
export function rowsOf(graph: Graph, loss: TensorId): ReadonlyMap<TensorId, number> {
  const first = firstInput(graph, loss);
  const dims = new Map<TensorId, number>(first === undefined ? [] : [[first.id, 0]]);
  const roles = new Map(graph.tensors.map(({ id, role }) => [id, role]));
  const operators = operatorsOfRuns(graph);
  let known = -1;
  while (known !== dims.size) {
    known = dims.size;
    for (const operator of operators) spread(operator, dims, roles);
  }
  return dims;
}

function spread(
  operator: Operator,
  dims: Map<TensorId, number>,
  roles: ReadonlyMap<TensorId, Tensor["role"]>,
): void {
  for (const name of rowIdentifiers(operator, dims)) {
    for (const operand of [...operator.inputs, ...operator.outputs]) {
      const role = roles.get(operand.tensor);
      if (dims.has(operand.tensor) || role === "parameter" || role === "state") continue;
      const dim = operand.dims.findIndex((_, at) => leadOf(operator, operand, at) === name);
      if (dim >= 0) dims.set(operand.tensor, dim);
    }
  }
}

/** The first input in the text on which the loss depends. */
function firstInput({ tensors, operators }: Graph, loss: TensorId): Tensor | undefined {
  const reached = new Set([loss]);
  for (const { inputs, outputs } of operators.toReversed()) {
    if (!outputs.some(({ tensor }) => reached.has(tensor))) continue;
    for (const { tensor } of inputs) reached.add(tensor);
  }
  return tensors.find(
    ({ id, role, producer, shape }) =>
      role === "input" && producer === undefined && shape.length > 0 && reached.has(id),
  );
}
