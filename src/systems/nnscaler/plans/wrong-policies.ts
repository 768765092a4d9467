import type { Diagnostic } from "#core/diagnostics";
import type { Operator, OperatorId } from "#core/ir";
import { type DeviceMesh, type Layout, layoutKey, sameBlocks } from "#core/mesh";
import type { OperatorPlan } from "#core/plan";
import type { BuiltGraph, PolicyPartition, Trace } from "#language/document/words";
import { isRightAsRun } from "../adapter-as-run.ts";
import { type AdapterEdge, type AdapterWay, adapterEdges } from "../adapter-edges.ts";
import type { AdapterRules } from "../adapter-hop.ts";
import { adapterRoutes } from "../adapter-reshard.ts";
import { wrongNumbers } from "../wrong-numbers.ts";
import { copiesCut, devicesSorted, scatterAvoided } from "./safe-rewritings.ts";

/** What a policy has made of a program. */
export interface PolicyOutcome {
  readonly trace: Trace;
  readonly built: BuiltGraph;
  readonly source: string;
  readonly plans: ReadonlyMap<OperatorId, OperatorPlan>;
  readonly mesh: DeviceMesh;
}

/** The forms of a policy with which nnScaler 0.8 computes wrong numbers, each at its cause. */
export function wrongPolicies(outcome: PolicyOutcome): readonly Diagnostic[] {
  const { trace } = outcome;
  if (trace.partitions.length === 0) return [];
  return [...copiedWeights(outcome), ...wrongAdapters(outcome)];
}

/** Operators with a weight that are replicated and then cut (engine-nnscaler §3.3). */
function copiedWeights({ trace, built, source }: PolicyOutcome): readonly Diagnostic[] {
  if (trace.multiref === true) return [];
  const roles = new Map(built.graph.tensors.map(({ id, role }) => [id, role]));
  return trace.partitions.flatMap((partition): readonly Diagnostic[] => {
    const operator = built.operatorOf.get(partition.operator);
    const [copies, cut] = copiesBeforeCut(partition);
    const isTrained = operator?.inputs.some(({ tensor }) => roles.get(tensor) === "parameter");
    if (operator === undefined || isTrained !== true || copies === undefined || cut === undefined)
      return [];
    const { span } = partition;
    const fix = copiesCut(operator, { copies, cut, span }, source);
    const warning = wrongNumbers("nnscaler/copied-weight", `"${operator.name}"`);
    return [{ ...warning, span, ...(fix && { fixes: [fix] }) }];
  });
}

type Level = PolicyPartition["levels"][number];

function copiesBeforeCut({ levels }: PolicyPartition): readonly (Level | undefined)[] {
  const at = levels.findIndex(({ identifier, count }) => identifier === undefined && count > 1);
  const isCut = ({ identifier, count }: Level) => identifier !== undefined && count > 1;
  return at < 0 ? [] : [levels[at], levels.slice(at + 1).find(isCut)];
}

/** Adapters that leave devices with pieces in wrong places (engine-nnscaler §3.1, §3.2). */
function wrongAdapters(outcome: PolicyOutcome): readonly Diagnostic[] {
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
  const said = new Map<string, Diagnostic>();
  for (const edge of edges) {
    for (const { way, cause, subject } of waysOf(edge)) {
      const partition = partitions.get(cause?.id);
      if (partition === undefined || right(way, edge, rules)) continue;
      const isTurned = [way.from, way.to].some(({ mesh: { devices } }) => !isAscending(devices));
      const code = isTurned ? "nnscaler/pieces-out-of-order" : "nnscaler/partial-outside-cut";
      const key = `${code} ${cause?.id}`;
      if (said.has(key)) continue;
      const isCured = !isTurned && right(way, edge, { avoidsReduceScatter: true });
      const fix = isTurned ? devicesSorted(partition, outcome.source) : undefined;
      const cure = isCured ? scatterAvoided(trace, outcome.source) : fix;
      const { span } = partition;
      said.set(key, { ...wrongNumbers(code, subject), span, ...(cure && { fixes: [cure] }) });
    }
  }
  return [...said.values()];
}

interface WayBetween {
  readonly way: AdapterWay;
  /** The operator that leaves the tensor so. */
  readonly cause: Operator | undefined;
  readonly subject: string;
}

/** Nobody needs the gradient of what a program is given. */
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

/** Whether a way is right as it runs; ways between equal layouts are asked once. */
function createRight() {
  const known = new Map<string, boolean>();
  return ({ from, to }: AdapterWay, { tensor: { shape } }: AdapterEdge, rules: AdapterRules) => {
    if (from.partials.length === 0 && sameBlocks(from, to, shape)) return true;
    // Several pieces on a device go one by one, by messages, which keep to their places.
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
