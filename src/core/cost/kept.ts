import {
  callOf,
  createStructuralKey,
  entryOf,
  type Graph,
  type Operator,
  type OperatorId,
  operatorsById,
  type Tensor,
  type TensorId,
  tensorsById,
} from "#core/ir";
import { type CopiedOperand, type SavedMemory, type SaveRule, storagesOf } from "#core/ir/storages";
import { extended, memoized } from "#core/records";

/** Operands and results that a forward operator keeps, by position, and further kept memory. */
export interface KeptOfOperator {
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  readonly beside: readonly Exclude<SavedMemory, { readonly kind: "operand" | "result" }>[];
  readonly tensors: ReadonlySet<TensorId>;
  /** Tensors that the backward operators read directly, in any layout. */
  readonly readBack: ReadonlySet<TensorId>;
}

/** The memory that a graph's forward operators keep for its backward pass. */
export interface Keeping {
  /**
   * Forward operators whose library entry has a keep rule; the others keep what their gradient
   * reads.
   */
  readonly kept: ReadonlyMap<OperatorId, KeptOfOperator>;
  /** Original forward tensor of each recomputed tensor. */
  readonly original: ReadonlyMap<TensorId, TensorId>;
}

/** The memory that autograd keeps for every forward operator of a training step with a gradient. */
export const keepingOf: (graph: Graph) => Keeping = memoized(read);

const nothingKept: Keeping = { kept: new Map(), original: new Map() };

function read(graph: Graph): Keeping {
  if (!graph.operators.some(({ phase }) => phase !== undefined)) return nothingKept;
  const tensors = tensorsById(graph);
  const rules = rulesByLikeness(tensors);
  const wanted = wantedGradients(graph);
  const original = originals(graph);
  const readBack = readByBackward(graph, original);
  const { copied } = storagesOf(graph);
  const kept = new Map<OperatorId, KeptOfOperator>();
  for (const operator of graph.operators) {
    const asked = wanted.get(operator.id);
    const rule = operator.entry === undefined ? undefined : entryOf(operator.entry)?.keeps;
    const isPart = operator.body !== undefined || operator.points !== undefined;
    if (asked === undefined || rule === undefined || isPart) continue;
    const { positions, all } = rules(operator, rule, asked);
    const own = placed(operator, positions, all, copiesOf(operator, copied));
    kept.set(operator.id, extended(own, { readBack: readBack.get(operator.id) ?? new Set() }));
  }
  return { kept, original };
}

/** Keep rules of operators; a rule is evaluated once for equal operators. */
function rulesByLikeness(tensors: ReadonlyMap<TensorId, Tensor>) {
  const likenessOf = createStructuralKey((id) => tensors.get(id));
  const known = new Map<string, ReturnType<typeof keptByRule>>();
  return (operator: Operator, rule: SaveRule, own: ReadonlySet<TensorId>) => {
    const wanted = operator.inputs.flatMap(({ tensor }, at) => (own.has(tensor) ? [at] : []));
    const key = `${likenessOf(operator)} ${wanted}`;
    const said = known.get(key) ?? keptByRule(operator, rule, wanted, tensors);
    known.set(key, said);
    return said;
  };
}

function keptByRule(
  operator: Operator,
  rule: SaveRule,
  wanted: readonly number[],
  tensors: ReadonlyMap<TensorId, Tensor>,
) {
  const call = callOf(operator, (id) => tensors.get(id)?.shape ?? []);
  const positions = call.inputs.flatMap((input, at) => (input === undefined ? [] : [at]));
  const all = rule(call, new Set(wanted.map((at) => positions[at] ?? -1)));
  return { positions, all };
}

/**
 * Copies of operands that an operator makes and keeps; a recomputed block keeps none, since it
 * makes them again.
 */
function copiesOf(
  { id, isCheckpointed }: Operator,
  copied: ReadonlyMap<OperatorId, readonly CopiedOperand[]>,
): readonly CopiedOperand[] {
  return isCheckpointed === true ? [] : (copied.get(id) ?? []);
}

/** Tensors whose gradients the backward operators compute, by forward operator. */
function wantedGradients({ tensors, operators }: Graph): ReadonlyMap<OperatorId, Set<TensorId>> {
  const gradientOf = new Map(tensors.map(({ id, gradientOf }) => [id, gradientOf]));
  const wanted = new Map<OperatorId, Set<TensorId>>();
  for (const { phase, of, outputs } of operators) {
    if (phase !== "backward" || of === undefined) continue;
    const own = wanted.get(of) ?? new Set();
    wanted.set(of, own);
    for (const { tensor } of outputs) {
      const target = gradientOf.get(tensor);
      if (target !== undefined) own.add(target);
    }
  }
  return wanted;
}

/**
 * Tensors that the backward operators read, by forward operator, as tensors of the forward pass.
 */
function readByBackward(
  { operators }: Graph,
  original: ReadonlyMap<TensorId, TensorId>,
): ReadonlyMap<OperatorId, ReadonlySet<TensorId>> {
  const read = new Map<OperatorId, Set<TensorId>>();
  for (const { phase, of, inputs } of operators) {
    if (phase !== "backward" || of === undefined) continue;
    const own = read.get(of) ?? new Set();
    read.set(of, own);
    for (const { tensor } of inputs) own.add(original.get(tensor) ?? tensor);
  }
  return read;
}

function originals(graph: Graph): ReadonlyMap<TensorId, TensorId> {
  const { operators } = graph;
  const byId = operatorsById(graph);
  const original = new Map<TensorId, TensorId>();
  for (const { phase, of, outputs } of operators) {
    if (phase !== "recompute" || of === undefined) continue;
    for (const [at, { tensor }] of outputs.entries()) {
      const first = byId.get(of)?.outputs[at];
      if (first !== undefined) original.set(tensor, first.tensor);
    }
  }
  return original;
}

function placed(
  { inputs, outputs }: Operator,
  positions: readonly number[],
  kept: readonly SavedMemory[],
  copied: readonly CopiedOperand[],
): Omit<KeptOfOperator, "readBack"> {
  const [ins, outs] = [new Set<number>(), new Set<number>()];
  const tensors = new Set<TensorId>();
  const beside = kept.filter((each) => each.kind === "beside" || each.kind === "statistics");
  for (const each of kept) {
    if (each.kind !== "operand" && each.kind !== "result") continue;
    const isOperand = each.kind === "operand";
    const at = isOperand ? positions.indexOf(each.at) : each.at;
    const found = (isOperand ? inputs : outputs)[at];
    const copy = isOperand ? copied.find(({ input }) => input === at) : undefined;
    if (copy !== undefined) beside.push(copyOf(copy));
    if (found === undefined || copy !== undefined) continue;
    (isOperand ? ins : outs).add(at);
    tensors.add(found.tensor);
  }
  return { inputs: [...ins], outputs: [...outs], beside, tensors };
}

/** Kept memory of the copy that a product makes of an operand. */
function copyOf({ input, times }: CopiedOperand) {
  return {
    kind: "beside",
    name: `row-major copy ${input}`,
    like: "operand",
    at: input,
    times,
  } as const;
}
