import type { Compiled } from "#compile";
import { arrangementOf } from "./arrangement.ts";
import type { ListRow } from "./canvas.ts";
import { flowOf } from "./flow.ts";
import { badgesByIndex } from "./redistribution-badge.ts";
import { redistributionList } from "./redistribution-list.ts";

/**
 * The graph as a list for small screens: inputs and parameters before their first reader,
 * redistributions before what needs them (or behind what makes an output), operators in order. What
 * comes with training follows below a heading for each part of it.
 */
export function listOf(compiled: Compiled): readonly ListRow[] {
  const flow = flowOf(compiled);
  const { gaps, under } = arrangementOf(flow);
  const badges = badgesByIndex(compiled);
  const redistribution = (index: number): readonly ListRow[] => {
    const badge = badges.get(index);
    if (badge === undefined) return [];
    return [{ kind: "redistribution", id: `redist-${index}`, redistribution: index, badge }];
  };
  const tensor = (id: ListRow & { kind: "tensor" }): readonly ListRow[] => [
    id,
    ...(under.get(id.tensor) ?? []).flatMap(redistribution),
  ];
  const tensorRow = (id: (typeof flow.alone)[number]["id"]) =>
    tensor({ kind: "tensor", id: `tensor-${id}`, tensor: id });
  const rows = gaps.flatMap(({ center, arrivals }, row): readonly ListRow[] => {
    const folded = flow.rows[row];
    const operator = folded?.kind === "operator" ? folded.operator : undefined;
    return [
      ...flow.sources.filter((source) => source.row === row).flatMap((s) => tensorRow(s.tensor.id)),
      ...center.flatMap((item) =>
        item.kind === "badge" ? redistribution(item.redistribution) : [],
      ),
      ...arrivals.flatMap(({ badge }) => (badge === undefined ? [] : redistribution(badge))),
      ...(operator === undefined
        ? []
        : [{ kind: "operator" as const, id: `operator-${operator}`, operator }]),
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
