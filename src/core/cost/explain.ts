import {
  type CollectiveLoad,
  defaultLink,
  explainReceived,
  explainSeconds,
  type Factor,
  type Formula,
  formulaOf,
  movedParts,
  termOf,
} from "#core/collective";
import { bytesOf, tensorsById } from "#core/ir";
import { blockCount, localShape } from "#core/mesh";
import { runShape } from "#core/plan";
import type { CollectiveStep, LocalStep, SpmdProgram, ValueId } from "#core/program";
import { launchOf } from "#core/reshard";
import type { Hardware } from "./cost.ts";
import { achievable, localFlops, measureOf, touchedBytes, valueBytes } from "./operator-seconds.ts";

const share: Factor = { symbol: "reached", value: achievable, unit: "1", divides: true };
const source = "roofline: the larger of arithmetic and memory traffic, at 0.7 of the peaks";

/** The seconds that `estimate` counts for an operator's step: the larger of two terms. */
export function explainLocal(
  program: SpmdProgram,
  hardware: Hardware,
  step: LocalStep,
  sizes: ReadonlyMap<ValueId, number> = valueBytes(program),
): readonly Formula[] {
  const measure = measureOf(program, sizes);
  const operator = measure.operators.get(step.operator);
  if (operator === undefined) return [];
  const counted: Factor[] = [];
  const flops = localFlops(operator, step, measure, (symbol, value) =>
    counted.push({ symbol, value, unit: "1" }),
  );
  const bytes = touchedBytes(step, measure);
  const arithmetic = termOf("arithmetic", [
    { symbol: "operations", value: flops, unit: "FLOP" },
    share,
    { symbol: "peak", value: hardware.flops, unit: "FLOP/s", divides: true },
  ]);
  const traffic = termOf("memory traffic", [
    { symbol: "read and written", value: bytes, unit: "B" },
    share,
    { symbol: "memory bandwidth", value: hardware.memoryBandwidth, unit: "B/s", divides: true },
  ]);
  const terms = flops === 0 ? [traffic] : [arithmetic, traffic];
  const seconds = formulaOf("compute", "s", terms, { source, joins: "largest" });
  if (flops === 0) return [seconds];
  const operations = formulaOf("operations", "FLOP", [termOf("on one device", counted)], {
    source: "two for every point of the index space that a device has",
  });
  return [seconds, operations];
}

/** Two products of the same numbers in another order differ by less than this part. */
const tolerance = 1e-9;

function isEqual(a: number, b: number): boolean {
  return Math.abs(a - b) <= tolerance * Math.abs(b);
}

/**
 * The seconds of a collective, term by term; `undefined` where the model's terms do not come to
 * what the step says, so that no wrong formula is shown.
 */
export function explainCollective(program: SpmdProgram, step: CollectiveStep): Formula | undefined {
  const before = program.values.find(({ id }) => id === step.input);
  const axes = before?.layout.mesh.axes ?? [];
  const used = axes.filter(({ name }) => step.axes.some((each) => each.split(":")[0] === name));
  const links = used.map(({ link }) => link ?? defaultLink);
  const loads = [launchOf({}), 0].map(
    (launch): CollectiveLoad => ({
      groupSize: groupSizeOf(step),
      bytes: step.bytes,
      links,
      launch,
    }),
  );
  return loads
    .map((load) => explainSeconds(step.collective, load))
    .find(({ value }) => isEqual(value, step.seconds));
}

/** Devices of a group; between arrangements a pair, of an exchange one more than the most peers. */
function groupSizeOf({ collective, moves, pairs }: CollectiveStep): number {
  if (pairs === undefined) {
    return blockCount(movedParts(moves));
  }
  if (collective !== "exchange") return 2;
  const peers = new Map<string, Set<number>>();
  const note = (key: string, peer: number) =>
    peers.set(key, (peers.get(key) ?? new Set()).add(peer));
  for (const { from, to } of pairs) {
    note(`to ${to}`, from);
    note(`from ${from}`, to);
  }
  return 1 + Math.max(0, ...[...peers.values()].map(({ size }) => size));
}

/**
 * The bytes that the busiest device receives in a collective; `undefined` where no formula gives
 * them, because they are counted message by message (unequal pieces).
 */
export function explainReceivedBytes(
  step: CollectiveStep,
  sizes: ReadonlyMap<ValueId, number>,
): Formula | undefined {
  const { collective } = step;
  if (collective === "slice" || collective === "exchange" || step.pairs !== undefined) {
    return undefined;
  }
  const localBytes = sizes.get(step.input) ?? 0;
  const formula = explainReceived(collective, { groupSize: groupSizeOf(step), localBytes });
  return isEqual(formula.value, step.bytes) ? formula : undefined;
}

/**
 * The bytes that a device holds of a value: the product of its local dims, the bytes of an element
 * and the number of micro-batches. `undefined` if that product is not `bytes`.
 */
export function explainValue(
  program: SpmdProgram,
  value: ValueId,
  bytes: number,
): Formula | undefined {
  const own = program.values.find(({ id }) => id === value);
  const tensor = own && tensorsById(program.graph).get(own.tensor);
  if (own === undefined || tensor === undefined) return undefined;
  const lengths = localShape(own.layout, runShape(program.microbatches, tensor));
  const factors: readonly Factor[] = [
    ...lengths.map(
      (length, dim): Factor => ({
        symbol: tensor.dimNames[dim] ?? `dim ${dim}`,
        value: length,
        unit: "1",
      }),
    ),
    { symbol: own.dtype, value: bytesOf(own.dtype), unit: "B" },
  ];
  const runs: Factor = {
    symbol: "micro-batches",
    value: program.microbatches?.count ?? 1,
    unit: "1",
  };
  return [factors, [runs, ...factors]]
    .map((all) =>
      formulaOf("held", "B", [termOf("on the fullest device", all)], {
        source: "the device's own piece of the tensor",
      }),
    )
    .find((formula) => isEqual(formula.value, bytes));
}
