import type { Compiled } from "#compile";
import type { OperatorId, TensorId } from "#core/ir";
import type { EqualRuns } from "#core/program";
import { equalRunsOf } from "../folded.ts";

/** One run of a block: consecutive operators of the program. */
export interface BlockRun {
  /** Id of the first operator; identifies the run across edits. */
  readonly key: string;
  /** Block name, such as `layers[3]`, or the first and last operator names, `h1…h2`. */
  readonly label: string;
  /** Row (index in the program) of the first operator. */
  readonly start: number;
  readonly operators: readonly OperatorId[];
  readonly made: readonly TensorId[];
  /** Parameters that only this run reads. */
  readonly parameters: readonly TensorId[];
  /** Indices of the redistributions inside the run, in program order. */
  readonly redistributions: readonly number[];
}

/** Equal consecutive runs, such as the layers of a model. */
export interface Block {
  readonly runs: readonly BlockRun[];
  /** Blocks of the same series that are not equal to the runs; they stay expanded. */
  readonly others: readonly OtherRun[];
  /**
   * The runs plus neighbouring runs with the same operators and text, such as the first and the
   * last block, whose surrounding steps differ. A gesture on one of them applies to all.
   */
  readonly alike: readonly BlockRun[];
}

/** A block of the same series that is not equal to the other runs. */
export interface OtherRun {
  readonly run: BlockRun;
  /** Names, without the block's prefix, of the operators that differ. */
  readonly differsBy: readonly string[];
}

/** Fewest repetitions for which a block is folded. */
const leastRuns = 3;

/** Fewest operators, over all runs, for which unnamed blocks are folded. */
const leastUnnamed = 24;

/**
 * The blocks drawn once: equal runs of the folded program that pass a value on to the next run, in
 * program order. Blocks of backward and update steps are not included.
 */
export function blocksOf(compiled: Compiled): readonly Block[] {
  const { graph, program } = compiled;
  if (graph.operators.length < 2 * leastRuns) return [];
  const rowOf = new Map(graph.operators.map(({ id }, row) => [id, row]));
  const rowOfStep = rowsOfStages(program, rowOf);
  const drawn = equalRunsOf(program).flatMap((equal) => {
    const rows = rowsOfRuns(equal, rowOfStep);
    return rows === undefined ? [] : [{ steps: equal.runs, rows }];
  });
  if (drawn.length === 0) return [];
  const parameters = parametersByRow(compiled, rowOf);
  const runAt = (start: number, length: number): BlockRun => {
    const operators = graph.operators.slice(start, start + length);
    return {
      key: operators[0]?.id ?? "",
      label: runLabel(operators.map(({ name }) => name)),
      start,
      operators: operators.map(({ id }) => id),
      made: operators.flatMap(({ outputs }) => outputs.map(({ tensor }) => tensor)),
      parameters: operators.flatMap((_each, at) => parameters(start + at, start, start + length)),
      redistributions: [],
    };
  };
  return drawn.flatMap(({ steps, rows: [first, length] }): readonly Block[] => {
    const runs = steps.map((each, run): BlockRun => {
      const redistributions = each.flatMap((step) =>
        step.kind === "collective" ? [step.reshard] : [],
      );
      return { ...runAt(first + run * length, length), redistributions };
    });
    const isNamed = blockName(graph.operators[first]?.name ?? "") !== "";
    if (!isNamed && length * runs.length < leastUnnamed) return [];
    const around = [
      groupBefore(graph.operators, first),
      groupBehind(graph.operators, first + runs.length * length),
    ];
    const others = around.flatMap((group): readonly OtherRun[] => {
      const other = group === undefined ? undefined : runAt(group.start, group.length);
      const [usual] = runs;
      if (other === undefined || usual === undefined || !isSibling(other, usual)) return [];
      return [{ run: other, differsBy: differences(compiled, other, usual) }];
    });
    const isAlike = likenessIn(compiled, runs[0]);
    const beside = [first - length, first + runs.length * length].map((start) =>
      start < 0 ? undefined : runAt(start, length),
    );
    const [before, behind] = beside.map((run) => (run && isAlike(run) ? [run] : []));
    return [{ runs, others, alike: [...(before ?? []), ...runs, ...(behind ?? [])] }];
  });
}

/** Whether a run has the same operators, strategies and set placements as `usual`. */
function likenessIn(compiled: Compiled, usual: BlockRun | undefined): (run: BlockRun) => boolean {
  const { graph, plan } = compiled;
  const operators = new Map(graph.operators.map((operator) => [operator.id, operator]));
  const saidOf = (run: BlockRun) =>
    run.operators.map((id) => {
      const operator = operators.get(id);
      const dims = [...(operator?.inputs ?? []), ...(operator?.outputs ?? [])].map(
        (operand) => [operand.dims, placed(operand.tensor)] as const,
      );
      const asked = plan.operators.get(id);
      const strategy = asked?.status === "set" ? asked.strategy : undefined;
      return JSON.stringify([operator?.op, operator?.axes, operator?.attributes, dims, strategy]);
    });
  const placed = (tensor: TensorId) => {
    const placement = plan.placements.get(tensor);
    return placement?.status === "set" ? placement.layout.dims : undefined;
  };
  const own = usual === undefined ? [] : saidOf(usual);
  return (run) => own.length > 0 && saidOf(run).join("\n") === own.join("\n");
}

type Operators = Compiled["graph"]["operators"];

/** The operators of one named block that end just above `row`; `undefined` if there are none. */
function groupBefore(operators: Operators, row: number) {
  const name = blockName(operators[row - 1]?.name ?? "");
  let start = row;
  while (name !== "" && blockName(operators[start - 1]?.name ?? "") === name) start -= 1;
  return start === row ? undefined : { start, length: row - start };
}

/** The operators of one named block that begin at `row`; `undefined` if there are none. */
function groupBehind(operators: Operators, row: number) {
  const name = blockName(operators[row]?.name ?? "");
  let end = row;
  while (name !== "" && blockName(operators[end]?.name ?? "") === name) end += 1;
  return end === row ? undefined : { start: row, length: end - row };
}

/** Whether both labels are `name[…]` of one series with different indices. */
function isSibling(one: BlockRun, other: BlockRun): boolean {
  const series = ({ label }: BlockRun) => /^(.*\[)\d+\]$/u.exec(label)?.[1];
  return one.label !== other.label && series(one) !== undefined && series(one) === series(other);
}

/**
 * Names of operators that only one of the two blocks has, or whose strategy or result layouts
 * differ.
 */
function differences(compiled: Compiled, other: BlockRun, usual: BlockRun): readonly string[] {
  const layouts = new Map(compiled.tensors.map(({ tensor, layout }) => [tensor, layout]));
  const looks = (run: BlockRun) =>
    new Map(
      compiled.graph.operators
        .slice(run.start, run.start + run.operators.length)
        .map(({ id, name, outputs }) => {
          const lies = outputs.map(({ tensor }) => layouts.get(tensor));
          const look = lies.map((layout) => [layout?.dims, layout?.partials]);
          const { strategy } = compiled.plan.operators.get(id) ?? {};
          return [name.slice(run.label.length + 1), JSON.stringify([strategy, look])];
        }),
    );
  const [own, rest] = [looks(other), looks(usual)];
  const changed = [...own].filter(([name, look]) => rest.get(name) !== look).map(([name]) => name);
  return [...changed, ...[...rest.keys()].filter((name) => !own.has(name))];
}

/** `layers[0…23]` for runs from `layers[0]` to `layers[23]`. */
export function stretchLabel(runs: readonly { readonly label: string }[]): string {
  const [first, last] = [runs[0]?.label ?? "", runs.at(-1)?.label ?? ""];
  if (first === last) return first;
  const [from, to] = [/^(.*\[)(\d+)\]$/u.exec(first), /^(.*\[)(\d+)\]$/u.exec(last)];
  if (from !== null && to !== null && from[1] === to[1]) return `${from[1]}${from[2]}…${to[2]}]`;
  return `${first.split("…")[0]}…${last.split("…").at(-1)}`;
}

/** Parts of a range label between which a line may break: `layers`, `[0…23]` and the rest. */
export function labelParts(label: string): readonly string[] {
  const [, series = label, range = "", rest = ""] = /^(.*)(\[\d+…\d+\])(.*)$/u.exec(label) ?? [];
  return [series, range, rest].filter((part) => part !== "");
}

/**
 * The program row of each executed operator; stages of one operator (as of a norm) map to its row.
 */
function rowsOfStages(
  { graph }: Compiled["program"],
  rowOf: ReadonlyMap<OperatorId, number>,
): ReadonlyMap<OperatorId, number> {
  const stages = graph.operators.flatMap(({ id, of }) => {
    const row = of === undefined ? undefined : rowOf.get(of);
    return row === undefined ? [] : [[id, row] as const];
  });
  return new Map([...stages, ...rowOf]);
}

/**
 * First row and length of the runs if their operators are consecutive in the program, else
 * `undefined`. A run can begin between two stages of an operator; the last run then ends with
 * stages of the next operator, which are left out.
 */
function rowsOfRuns(
  { runs, isCarried }: EqualRuns,
  rowOfStep: ReadonlyMap<OperatorId, number>,
): readonly [first: number, length: number] | undefined {
  const [usual = []] = runs;
  if (runs.length < leastRuns || !isCarried) return undefined;
  if (usual.some((step) => step.phase !== "forward")) return undefined;
  const all = runs.flatMap((run) =>
    run.flatMap((step) => (step.kind === "local" ? [rowOfStep.get(step.operator)] : [])),
  );
  const rows = all.filter((row, at) => row !== all[at - 1]);
  const [first] = rows;
  if (first === undefined || !rows.every((row, at) => row === first + at)) return undefined;
  const isWhole = rows.length % runs.length <= 1;
  return isWhole ? [first, Math.floor(rows.length / runs.length)] : undefined;
}

/** Parameters first read in `row` and read nowhere outside the rows `from` to `to`. */
function parametersByRow(
  { graph }: Compiled,
  rowOf: ReadonlyMap<OperatorId, number>,
): (row: number, from: number, to: number) => readonly TensorId[] {
  const last = new Map<TensorId, number>();
  const byRow = new Map<number, TensorId[]>();
  const isParameter = new Set(
    graph.tensors.flatMap(({ id, role, producer }) =>
      role === "parameter" && producer === undefined ? [id] : [],
    ),
  );
  for (const { id, inputs } of graph.operators) {
    const row = rowOf.get(id) ?? 0;
    for (const { tensor } of inputs) {
      if (!isParameter.has(tensor)) continue;
      if (!last.has(tensor)) byRow.set(row, [...(byRow.get(row) ?? []), tensor]);
      last.set(tensor, row);
    }
  }
  return (row, from, to) =>
    (byRow.get(row) ?? []).filter((id) => row >= from && (last.get(id) ?? to) < to);
}

function runLabel(names: readonly string[]): string {
  const [first = "", last = ""] = [names[0], names.at(-1)];
  const name = blockName(first);
  if (name !== "") return name;
  return first === last ? first : `${first}…${last}`;
}

/**
 * Block name of an operator name: `layers[3]` of `layers[3].attention.h`; empty if there is none.
 */
function blockName(name: string): string {
  return name.slice(0, name.indexOf("].") + 1);
}
