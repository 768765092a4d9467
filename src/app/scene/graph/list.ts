import type { Compiled } from "#compile";
import type { TensorId } from "#core/ir";
import { redistributionList } from "../text/redistribution-list.ts";
import { arrangementOf } from "./arrangement.ts";
import { forwardOnly, type ListRow } from "./canvas.ts";
import { headOf } from "./canvas-nodes.ts";
import { blockStacks } from "./canvas-stacks.ts";
import { type Flow, flowOf } from "./flow.ts";
import { inStages } from "./in-stages.ts";
import { inOneColumn } from "./ranks.ts";
import { badgesByIndex } from "./redistribution-badge.ts";
import { laneCells } from "./training/training-cells.ts";
import { trainingFlowOf } from "./training/training-flow.ts";
import type { TrainingBadge, TrainingFlow, TrainingItem } from "./training/training-items.ts";
import { trainingStacks } from "./training/training-stacks.ts";

const noneOpen: ReadonlySet<string> = new Set();

/**
 * The graph as a list for small screens: inputs and parameters before their first reader,
 * redistributions before their reader (or behind the producer of an output), operators in program
 * order. Training operators follow under one heading per phase. Equal blocks are one row, except
 * the runs whose keys are in `open`.
 */
export function listOf(
  program: Compiled,
  open: ReadonlySet<string> = noneOpen,
): readonly ListRow[] {
  const compiled = inStages(program);
  const flow = flowOf(compiled, open);
  const { gaps, under } = arrangementOf(flow, inOneColumn(flow));
  const badges = badgesByIndex(compiled);
  const redistribution = (index: number): readonly ListRow[] => {
    const badge = badges(index);
    if (badge === undefined) return [];
    return [{ kind: "redistribution", id: `redist-${index}`, redistribution: index, badge }];
  };
  const tensor = (id: ListRow & { kind: "tensor" }): readonly ListRow[] => [
    id,
    ...(under.get(id.tensor) ?? []).flatMap(redistribution),
  ];
  const tensorRow = (id: TensorId) => tensor({ kind: "tensor", id: `tensor-${id}`, tensor: id });
  const blockRow = blockRows(compiled, flow);
  const sources = new Map<number, TensorId[]>();
  for (const { row, tensor: each } of flow.sources) {
    sources.set(row, [...(sources.get(row) ?? []), each.id]);
  }
  const rows = gaps.flatMap(({ chains, arrivals }, row): readonly ListRow[] => {
    const folded = flow.rows[row];
    const operator = folded?.kind === "operator" ? folded.operator : undefined;
    return [
      ...blockRow.head(row),
      ...(sources.get(row) ?? []).flatMap(tensorRow),
      ...chains.flatMap(({ items }) =>
        items.flatMap((item) => (item.kind === "badge" ? redistribution(item.redistribution) : [])),
      ),
      ...arrivals.flatMap(({ badge }) => (badge === undefined ? [] : redistribution(badge))),
      ...(operator === undefined
        ? []
        : [{ kind: "operator" as const, id: `operator-${operator}`, operator }]),
      ...blockRow.stack(row),
    ];
  });
  const written = [...rows, ...flow.alone.flatMap((each) => tensorRow(each.id))];
  const listed = new Set(flow.redistributions.map((each) => each.redistribution.index));
  const training = open.has(forwardOnly) ? undefined : trainingFlowOf(compiled, flow);
  if (training !== undefined) {
    return [...written, ...trainingRows(compiled, training, { tensorRow, redistribution })];
  }
  if (compiled.program.redistributions.every(({ index }) => listed.has(index))) return written;
  const trained = redistributionList(compiled.program).flatMap(({ heading, lines }) => {
    const others = lines.filter((line) => !listed.has(line.redistribution));
    if (heading === "Forward" || others.length === 0) return [];
    const head = { kind: "heading" as const, id: `heading-${heading}`, text: heading };
    return [head, ...others.flatMap((line) => redistribution(line.redistribution))];
  });
  return [...written, ...trained];
}

interface RowsOf {
  readonly tensorRow: (tensor: TensorId) => readonly ListRow[];
  readonly redistribution: (index: number) => readonly ListRow[];
}

/** Rows of the training operators in execution order, under one heading per phase. */
function trainingRows(
  compiled: Compiled,
  training: TrainingFlow,
  { tensorRow, redistribution }: RowsOf,
): readonly ListRow[] {
  const stackOf = trainingStacks(compiled, training);
  const { cells } = laneCells(training, rowByRow);
  const blocks = [...cells.values()].flatMap(({ gradients, updates }) => [
    ...gradients,
    ...updates,
  ]);
  const byKey = new Map(blocks.map((block) => [block.key, block]));
  const rowsOf = (item: TrainingItem): readonly ListRow[] => {
    const { before = [], behind = [] } = byKey.get(item.key) ?? {};
    const moved = (badges: readonly TrainingBadge[]) =>
      badges.flatMap(({ redistribution: { index } }) => redistribution(index));
    const [operator] = item.operators;
    const key = item.runs[0]?.key;
    const own: readonly ListRow[] =
      key !== undefined
        ? [{ kind: "stack", id: `stack-${item.kind}-${key}`, stack: stackOf(item) }]
        : operator === undefined
          ? []
          : [{ kind: "operator", id: `operator-${operator.id}`, operator: operator.id }];
    return [
      ...moved(before.toReversed()),
      ...item.states.flatMap(tensorRow),
      ...own,
      ...moved(behind),
    ];
  };
  const partOf = (kind: TrainingItem["kind"], text: string, first: readonly ListRow[]) => {
    const rows = training.items.filter((item) => item.kind === kind).flatMap(rowsOf);
    const head = { kind: "heading" as const, id: `heading-${text}`, text };
    return rows.length === 0 ? [] : [head, ...first, ...rows];
  };
  const seeds = training.seeds.flatMap(({ tensor }) => tensorRow(tensor.id));
  return [...partOf("gradient", "Backward", seeds), ...partOf("update", "Update", [])];
}

const rowByRow = { rankOf: (row: number) => row };

/** The heads of open blocks and the cards of folded ones, by row. */
function blockRows(compiled: Compiled, flow: Flow) {
  const stackOf = blockStacks(compiled, flow);
  const heads = new Map(flow.folding.openRuns.map((open) => [open.firstRow, open]));
  return {
    head: (row: number): readonly ListRow[] => {
      const open = heads.get(row);
      if (open === undefined) return [];
      const run = headOf(open);
      return [{ kind: "run", id: `run-${run.key}`, run }];
    },
    stack: (row: number): readonly ListRow[] => {
      const folded = flow.rows[row];
      if (folded?.kind !== "stack") return [];
      return [
        {
          kind: "stack",
          id: `stack-${folded.runs[0]?.key}`,
          stack: { ...stackOf(folded.runs), together: folded.together },
        },
      ];
    },
  };
}
