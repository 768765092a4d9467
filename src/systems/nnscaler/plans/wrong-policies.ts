import type { Diagnostic } from "#core/diagnostics";
import type { Operator, OperatorId, Tensor } from "#core/ir";
import { type DeviceMesh, type Layout, layoutKey, sameBlocks } from "#core/mesh";
import type { OperatorPlan } from "#core/plan";
import type { BuiltGraph } from "#language/document/graph";
import type { PolicyPartition, Trace } from "#language/document/trace";
import { isRightAsRun } from "../adapter-as-run.ts";
import { type AdapterEdge, type AdapterWay, adapterEdges } from "../adapter-edges.ts";
import type { AdapterRules } from "../adapter-hop.ts";
import { adapterRoutes } from "../adapter-reshard.ts";
import { type WrongForm, wrongNumbers } from "../wrong-numbers.ts";
import { copiesCut, devicesSorted, scatterAvoided } from "./safe-rewritings.ts";

/** A program after its policy has run. */
export interface PolicyOutcome {
  readonly trace: Trace;
  readonly built: BuiltGraph;
  readonly source: string;
  readonly plans: ReadonlyMap<OperatorId, OperatorPlan>;
  readonly mesh: DeviceMesh;
}

/** Warnings for policies with which nnScaler 0.8 computes wrong numbers, each at its cause. */
export function wrongPolicies(outcome: PolicyOutcome): readonly Diagnostic[] {
  const { trace } = outcome;
  if (trace.partitions.length === 0) return [];
  return [...copiedWeights(outcome), ...wrongAdapters(outcome)];
}

/** An operator with a weight that is replicated and then cut. */
export interface CopiedWeight {
  readonly operator: Operator;
  readonly partition: PolicyPartition;
  readonly copies: Level;
  readonly cut: Level;
  readonly weights: readonly Tensor[];
}

/** Operators with a weight that are replicated and then cut (engine-nnscaler.md §3.3). */
export function copiedWeightsOf({ trace, built }: PolicyOutcome): readonly CopiedWeight[] {
  if (trace.multiref === true) return [];
  const tensors = new Map(built.graph.tensors.map((tensor) => [tensor.id, tensor]));
  return trace.partitions.flatMap((partition): readonly CopiedWeight[] => {
    const operator = built.operatorOf.get(partition.operator);
    const [copies, cut] = copiesBeforeCut(partition);
    const read = operator?.inputs.flatMap(({ tensor }) => tensors.get(tensor) ?? []) ?? [];
    const weights = read.filter(({ role }) => role === "parameter");
    if (operator === undefined || weights.length === 0) return [];
    if (copies === undefined || cut === undefined) return [];
    return [{ operator, partition, copies, cut, weights }];
  });
}

function copiedWeights(outcome: PolicyOutcome): readonly Diagnostic[] {
  return copiedWeightsOf(outcome).map(({ operator, partition: { span }, copies, cut }) => {
    const fix = copiesCut(operator, { copies, cut, span }, outcome.source);
    const warning = wrongNumbers("nnscaler/copied-weight", `"${operator.name}"`);
    return { ...warning, span, ...(fix && { fixes: [fix] }) };
  });
}

type Level = PolicyPartition["levels"][number];

function copiesBeforeCut({ levels }: PolicyPartition): readonly (Level | undefined)[] {
  // Repetitions of the whole plan work on different data, so their gradients must be summed.
  const at = levels.findIndex(
    ({ identifier, count, isRepeated }) => identifier === undefined && count > 1 && !isRepeated,
  );
  const isCut = ({ identifier, count }: Level) => identifier !== undefined && count > 1;
  return at < 0 ? [] : [levels[at], levels.slice(at + 1).find(isCut)];
}

/** An adapter that leaves pieces on wrong devices or in a wrong order. */
export interface WrongAdapter {
  readonly code: WrongForm;
  readonly subject: string;
  readonly partition: PolicyPartition;
  readonly edge: AdapterEdge;
  readonly way: AdapterWay;
  readonly rules: AdapterRules;
  /** Whether it is correct without a reduce-scatter. */
  readonly isCured: boolean;
}

/**
 * Adapters that leave devices with pieces in wrong places (engine-nnscaler.md §3.1, §3.2); only the
 * first per operator and warning code.
 */
export function wrongAdaptersOf(outcome: PolicyOutcome): readonly WrongAdapter[] {
  const { trace, built, plans, mesh } = outcome;
  const edges = adapterEdges({
    ...{ graph: built.graph, mesh, results: new Set(built.graph.outputs) },
    planOf: (operator) => plans.get(operator),
  });
  const partitions = new Map(
    trace.partitions.map((partition) => [built.operatorOf.get(partition.operator)?.id, partition]),
  );
  const rules: AdapterRules = { avoidsReduceScatter: trace.avoidsReduceScatter === true };
  const right = createRight();
  const found = new Map<string, WrongAdapter>();
  for (const edge of edges) {
    for (const { way, cause, subject } of waysOf(edge)) {
      const partition = partitions.get(cause?.id);
      if (partition === undefined || right(way, edge, rules)) continue;
      const isTurned = [way.from, way.to].some(({ mesh: { devices } }) => !isAscending(devices));
      const code = isTurned ? "nnscaler/pieces-out-of-order" : "nnscaler/partial-outside-cut";
      const key = `${code} ${cause?.id}`;
      if (found.has(key)) continue;
      const isCured = !isTurned && right(way, edge, { avoidsReduceScatter: true });
      found.set(key, { ...{ code, subject, partition, edge, way, rules, isCured } });
    }
  }
  return [...found.values()];
}

function wrongAdapters(outcome: PolicyOutcome): readonly Diagnostic[] {
  const { trace, source } = outcome;
  return wrongAdaptersOf(outcome).map(({ code, subject, partition, isCured }) => {
    const isTurned = code === "nnscaler/pieces-out-of-order";
    const fix = isTurned ? devicesSorted(partition, source) : undefined;
    const cure = isCured ? scatterAvoided(trace, source) : fix;
    const { span } = partition;
    return { ...wrongNumbers(code, subject), span, ...(cure && { fixes: [cure] }) };
  });
}

interface WayBetween {
  readonly way: AdapterWay;
  /** The operator whose partition causes the layout. */
  readonly cause: Operator | undefined;
  readonly subject: string;
}

/** The directions of an edge; the gradient of a program's input is not needed. */
function waysOf({
  tensor,
  producer,
  reader,
  forward,
  backward,
}: AdapterEdge): readonly WayBetween[] {
  const there = { way: forward, cause: producer ?? reader, subject: `"${tensor.name}"` };
  if (backward === undefined || producer === undefined || reader === undefined) return [there];
  const subject = `the gradient of "${tensor.name}"`;
  return [there, { way: backward, cause: reader, subject }];
}

/** A cached test whether an adapter is correct as it runs. */
function createRight() {
  const known = new Map<string, boolean>();
  return ({ from, to }: AdapterWay, { tensor: { shape } }: AdapterEdge, rules: AdapterRules) => {
    if (from.partials.length === 0 && sameBlocks(from, to, shape)) return true;
    // Several pieces per device are sent one by one, by messages that preserve their places.
    if ([from, to].some(hasPieces)) return true;
    const orders = [from, to].map(({ mesh }) => mesh.devices.join());
    const key = JSON.stringify([layoutKey(from), layoutKey(to), orders, shape, rules]);
    const isKnown = known.get(key);
    if (isKnown !== undefined) return isKnown;
    const routes = adapterRoutes(from, to, shape, rules);
    const isRight = !routes.ok || isRightAsRun(routes.value, { from, to, shape });
    known.set(key, isRight);
    return isRight;
  };
}

function hasPieces({ dims }: Layout): boolean {
  return dims.some(({ parts }) => parts.some(({ kind }) => kind === "pieces"));
}

function isAscending(devices: readonly number[]): boolean {
  return devices.every((device, at) => device >= (devices[at - 1] ?? device));
}
