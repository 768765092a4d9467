import type { Compiled } from "#compile";
import type { TensorId } from "#core/ir";
import { arrangementOf } from "./arrangement.ts";
import type { ListRow } from "./canvas.ts";
import { headOf } from "./canvas-nodes.ts";
import { blockStacks } from "./canvas-stacks.ts";
import { type Flow, flowOf } from "./flow.ts";
import { inOneColumn } from "./ranks.ts";
import { badgesByIndex } from "./redistribution-badge.ts";
import { redistributionList } from "./redistribution-list.ts";

const noneOpen: ReadonlySet<string> = new Set();

/**
 * The graph as a list for small screens: inputs and parameters before their first reader,
 * redistributions before what needs them (or behind what makes an output), operators in order. What
 * comes with training follows below a heading for each part of it. Equal blocks stand once but for
 * the runs in `open`.
 */
export function listOf(
  compiled: Compiled,
  open: ReadonlySet<string> = noneOpen,
): readonly ListRow[] {
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
  if (compiled.program.redistributions.every(({ index }) => listed.has(index))) return written;
  const trained = redistributionList(compiled.program).flatMap(({ heading, lines }) => {
    const others = lines.filter((line) => !listed.has(line.redistribution));
    if (heading === "Forward" || others.length === 0) return [];
    const head = { kind: "heading" as const, id: `heading-${heading}`, text: heading };
    return [head, ...others.flatMap((line) => redistribution(line.redistribution))];
  });
  return [...written, ...trained];
}

/** The heads of open blocks, and the cards of folded ones, by their rows. */
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
      return [{ kind: "stack", id: `stack-${folded.runs[0]?.key}`, stack: stackOf(folded.runs) }];
    },
  };
}
