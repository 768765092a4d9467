import type { CollectiveStep, SpmdProgram } from "#core/program";
import { stepsAsRun } from "#core/program";
import type { CompiledCollective } from "../format.ts";

/** A collective of the present plan, in the figures used to compare it with a compiled program. */
export interface OwnCollective {
  readonly kind: CollectiveStep["collective"];
  /** The tensor that it moves. */
  readonly tensor: string;
  readonly phase: string;
  readonly groupSize: number;
  /** Elements and bytes that the busiest device receives. */
  readonly elements: number;
  readonly bytes: number;
}

/** Counts and bytes of one kind of collective, in the compiled program and in the plan. */
export interface KindBeside {
  readonly kind: string;
  readonly xla: number;
  readonly xlaBytes: number;
  readonly ours: number;
  readonly ourBytes: number;
}

/** A collective of the compiled program with the plan's collectives that match it. */
export interface RowBeside extends CompiledCollective {
  /** Tensors moved by the plan's collectives, once per move. */
  readonly ours: readonly string[];
  /** The difference in words; absent when both sides agree. */
  readonly difference?: string;
}

/** A compiled program compared with a plan. */
export interface Beside {
  readonly kinds: readonly KindBeside[];
  readonly rows: readonly RowBeside[];
  /** Collectives of the plan that the compiled program lacks, each with the difference. */
  readonly onlyOurs: readonly (OwnCollective & { readonly difference: string })[];
}

/** Collectives of a plan by which some device receives data, in run order. */
export function ownCollectives(program: SpmdProgram): readonly OwnCollective[] {
  const values = new Map(program.values.map((each) => [each.id, each]));
  const tensors = new Map(program.graph.tensors.map((each) => [each.id, each]));
  return stepsAsRun(program).flatMap((step) => {
    if (step.kind !== "collective" || step.elements === 0) return [];
    const { collective: kind, phase, groups, elements, bytes } = step;
    const sent = values.get(step.input);
    const tensor = sent && tensors.get(sent.tensor);
    const of = tensor?.gradientOf === undefined ? undefined : tensors.get(tensor.gradientOf)?.name;
    const name = of === undefined ? (tensor?.name ?? "") : `the gradient of ${of}`;
    const groupSize = groups[0]?.length ?? 1;
    return [{ kind, tensor: name, phase, groupSize, elements, bytes }];
  });
}

/**
 * Compares the collectives of a compiled program with those of a plan. Two are equal if kind, group
 * size and received elements agree. Remaining ones are paired when they are two ways of one
 * operation; the rest is listed for one side alone.
 */
export function laidBeside(
  compiled: readonly CompiledCollective[],
  own: readonly OwnCollective[],
): Beside {
  const left = own.map((each) => ({ ...each, isTaken: false }));
  const take = (matches: (each: OwnCollective) => boolean): OwnCollective | undefined => {
    const found = left.find((each) => !each.isTaken && matches(each));
    if (found !== undefined) found.isTaken = true;
    return found;
  };
  const same = compiled.map((row) => taken(row, () => take((each) => isSame(row, each))));
  const rows = compiled.map((row, at): RowBeside => {
    const found = same[at] ?? [];
    const missing = row.times - found.length;
    const others = missing === 0 ? undefined : otherWay(row, missing, take);
    const ours = [...found, ...(others?.found ?? [])].map(({ tensor }) => tensor);
    const difference = others?.difference ?? typeDifference(row, found);
    return { ...row, ours, ...(difference !== undefined && { difference }) };
  });
  const joined = inStages(rows, left);
  const onlyOurs = left.flatMap(({ isTaken, ...each }) =>
    isTaken ? [] : [{ ...each, difference: `only ours: XLA has no such ${each.kind}` }],
  );
  return { kinds: kindsOf(compiled, own), rows: joined, onlyOurs };
}

/** Elements that each device holds before an all-reduce. */
function summed({ elements, groupSize }: Pick<OwnCollective, "elements" | "groupSize">): number {
  return Math.round((elements * groupSize) / (2 * (groupSize - 1)));
}

/**
 * Matches successive all-reduces over two sets of axes with one all-reduce of the plan over both.
 */
function inStages(
  rows: readonly RowBeside[],
  left: readonly (OwnCollective & { isTaken: boolean })[],
): readonly RowBeside[] {
  const found = [...rows];
  const isFree = (at: number) => {
    const row = found[at];
    return row?.kind === "all-reduce" && row.ours.length === 0 && row.times === 1;
  };
  for (const each of left) {
    if (each.isTaken || each.kind !== "all-reduce") continue;
    const fits = found.flatMap((row, at) =>
      isFree(at) && summed(row) === summed(each) ? [{ row, at }] : [],
    );
    const pair = fits.flatMap((one, at) =>
      fits
        .slice(at + 1)
        .filter(({ row }) => row.groupSize * one.row.groupSize === each.groupSize)
        .map((other) => [one, other]),
    )[0];
    if (pair === undefined) continue;
    each.isTaken = true;
    const difference = `XLA sums in two stages where ours sums at once over ${each.groupSize} devices`;
    for (const [at, stage] of pair.entries()) {
      found[stage.at] = { ...stage.row, ours: at === 0 ? [each.tensor] : [], difference };
    }
  }
  return found;
}

function taken(
  row: CompiledCollective,
  take: () => OwnCollective | undefined,
): readonly OwnCollective[] {
  const found: OwnCollective[] = [];
  while (found.length < row.times) {
    const each = take();
    if (each === undefined) break;
    found.push(each);
  }
  return found;
}

function isSame(row: CompiledCollective, each: OwnCollective): boolean {
  const isKind =
    each.kind === row.kind &&
    (row.kind === "collective-permute" || each.groupSize === row.groupSize);
  return isKind && each.elements === row.elements;
}

/** Difference in words when the same tensor is moved in another dtype. */
function typeDifference(
  row: CompiledCollective,
  found: readonly OwnCollective[],
): string | undefined {
  const other = found.find(({ bytes }) => bytes !== row.bytes);
  if (other === undefined) return undefined;
  return `XLA moves it in ${row.dtype}, ${row.bytes} bytes where ours are ${other.bytes}`;
}

interface OtherWay {
  readonly found: readonly OwnCollective[];
  readonly difference: string;
}

/** Collectives by which the plan does the work of one that it lacks. */
function otherWay(
  row: CompiledCollective,
  missing: number,
  take: (matches: (each: OwnCollective) => boolean) => OwnCollective | undefined,
): OtherWay {
  const half = row.elements / 2;
  const isPart = (kind: string, elements: number) => (each: OwnCollective) =>
    each.kind === kind && each.groupSize === row.groupSize && each.elements === elements;
  const found: OwnCollective[] = [];
  let gathered = 0;
  let scattered = 0;
  for (let at = 0; at < missing; at += 1) {
    const first = row.kind === "all-reduce" ? take(isPart("reduce-scatter", half)) : undefined;
    const other =
      row.kind === "reduce-scatter" ? take(isPart("all-reduce", row.elements * 2)) : undefined;
    const one = first ?? other;
    if (one === undefined) break;
    found.push(one);
    scattered += 1;
    const second = first === undefined ? undefined : take(isPart("all-gather", half));
    if (second !== undefined) {
      found.push(second);
      gathered += 1;
    }
  }
  const rest = missing - scattered;
  const words = [
    ...(scattered === 0 ? [] : [otherWords(row.kind, scattered, gathered)]),
    ...(rest === 0
      ? []
      : [`only XLA's: ours has no such ${row.kind}${rest > 1 ? ` (${rest} times)` : ""}`]),
  ];
  return { found, difference: words.join("; ") };
}

function otherWords(kind: string, scattered: number, gathered: number): string {
  if (kind === "reduce-scatter") return "ours all-reduces, of which XLA keeps a part";
  if (gathered === scattered)
    return "ours is a reduce-scatter and an all-gather, which is the same sum";
  return "XLA all-reduces and keeps a part where ours reduce-scatters";
}

function kindsOf(
  compiled: readonly CompiledCollective[],
  own: readonly OwnCollective[],
): readonly KindBeside[] {
  const names = [...new Set([...compiled, ...own].map(({ kind }) => kind))].sort();
  return names.map((kind) => {
    const theirs = compiled.filter((each) => each.kind === kind);
    const ours = own.filter((each) => each.kind === kind);
    return {
      kind,
      xla: theirs.reduce((sum, { times }) => sum + times, 0),
      xlaBytes: theirs.reduce((sum, { bytes, times }) => sum + bytes * times, 0),
      ours: ours.length,
      ourBytes: ours.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  });
}
