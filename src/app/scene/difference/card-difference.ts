import type { Compiled } from "#compile";
import type { OperatorId, TensorId } from "#core/ir";
import { rememberedFor } from "../remembered.ts";
import { stepsByRedistribution } from "../text/comm-summary.ts";
import { formatBytesDelta } from "../text/numbers.ts";
import type {
  DifferenceMark,
  DifferenceSign,
  PlanDifference,
  RemovedRedistribution,
  TensorBefore,
} from "./difference.ts";

/** The operators, tensors and redistributions of a card or pill. */
export interface CardParts {
  readonly operators?: readonly OperatorId[];
  readonly tensors?: readonly TensorId[];
  readonly redistributions?: readonly number[];
  /** Tensors whose gone redistributions are marked on this card. */
  readonly leaves?: readonly TensorId[];
}

/** The difference on a card or pill. */
export interface CardDifference {
  /** The sign common to all parts; `~` if their signs differ. */
  readonly sign?: DifferenceSign;
  /** The difference as a sentence, for the accessible name. */
  readonly text: string;
  /** The baseline layout of the card's tensor, if it has one tensor and its layout changed. */
  readonly before?: TensorBefore;
  /** `+58.7 MB`; absent if the bytes are unchanged. */
  readonly change?: string;
  readonly gone: readonly RemovedRedistribution[];
  /** The total byte change of all gone redistributions: `−12 MB`. */
  readonly goneChange: string;
}

/** The difference of one card's parts from the baseline; `undefined` without one. */
export function cardDifference(
  difference: PlanDifference,
  { operators = [], tensors = [], redistributions = [], leaves = [] }: CardParts,
): CardDifference | undefined {
  const sent = redistributions.flatMap((index) => difference.redistributions.get(index) ?? []);
  const marks = [
    ...operators.flatMap((id) => difference.operators.get(id) ?? []),
    ...tensors.flatMap((id) => difference.tensors.get(id) ?? []),
    ...sent,
  ];
  const gone = leaves.flatMap((id) => difference.gone.get(id) ?? []);
  if (marks.length + gone.length === 0) return undefined;
  const signs = new Set<DifferenceSign>(marks.map(({ sign }) => sign));
  const [sign = "~"] = signs;
  const bytes = sent.reduce((sum, mark) => sum + (mark.bytes ?? 0), 0);
  const before = tensors.length === 1 ? marks.find((mark) => mark.before)?.before : undefined;
  return {
    ...(marks.length > 0 && { sign: signs.size === 1 ? sign : "~" }),
    ...(before !== undefined && { before }),
    ...(bytes !== 0 && { change: formatBytesDelta(bytes) }),
    text: `Against the baseline: ${wordsOf(marks, gone)}.`,
    gone,
    goneChange: formatBytesDelta(gone.reduce((sum, each) => sum + each.bytes, 0)),
  };
}

/** The texts of up to three differences, else the number of each kind. */
function wordsOf(marks: readonly DifferenceMark[], gone: readonly RemovedRedistribution[]): string {
  const all = [...new Set([...marks, ...gone].map(({ text }) => text))];
  if (all.length <= 3) return all.join("; ");
  const count = (wanted: DifferenceSign) => marks.filter(({ sign }) => sign === wanted).length;
  const counts = [
    [count("~"), "changed"],
    [count("+"), "only here"],
    [gone.length, "gone"],
  ] as const;
  return counts.flatMap(([n, word]) => (n === 0 ? [] : [`${n} ${word}`])).join(", ");
}

interface Owned {
  readonly made: ReadonlyMap<OperatorId, readonly TensorId[]>;
  readonly read: ReadonlyMap<OperatorId, readonly TensorId[]>;
  readonly sent: ReadonlyMap<TensorId, readonly number[]>;
}

const ownedIn = rememberedFor(({ program }: Compiled): Owned => {
  const made = new Map<OperatorId, TensorId[]>();
  const read = new Map<OperatorId, TensorId[]>();
  const isGiven = new Set(
    program.graph.tensors.flatMap(({ id, producer }) => (producer === undefined ? [id] : [])),
  );
  for (const { id, inputs, outputs } of program.graph.operators) {
    made.set(id, [...new Set(outputs.map(({ tensor }) => tensor))]);
    read.set(
      id,
      inputs.flatMap(({ tensor }) => (isGiven.has(tensor) ? [tensor] : [])),
    );
  }
  const steps = stepsByRedistribution(program);
  const sent = new Map<TensorId, number[]>();
  for (const { index, tensor } of program.redistributions) {
    if (!steps.has(index)) continue;
    sent.set(tensor, [...(sent.get(tensor) ?? []), index]);
  }
  return { made, read, sent };
});

/**
 * The parts of several operators: their results, given operands and redistributions, for a card
 * that represents them all.
 */
export function partsOfOperators(
  compiled: Compiled,
  operators: readonly OperatorId[],
): Required<CardParts> {
  const { made, read, sent } = ownedIn(compiled);
  const tensors = [
    ...new Set(operators.flatMap((id) => [...(made.get(id) ?? []), ...(read.get(id) ?? [])])),
  ];
  const redistributions = tensors.flatMap((id) => sent.get(id) ?? []);
  return { operators, tensors, redistributions, leaves: tensors };
}
