import { blockCount, type Layout, replicationOf } from "#core/mesh";
import { tagsOf } from "../hue.ts";
import type { Badge } from "../mark.ts";
import { partialsByKind, reduceSign } from "../text/label.ts";

/** The words beside a drawing: `×4 dp sp` for copies, `Σ mp` for each kind of partial. */
export function badgesOf(layout: Layout): readonly Badge[] {
  const copies = replicationOf(layout);
  const count = blockCount(copies);
  const partials = partialsByKind(layout).map(({ reduce, partials }): Badge => {
    const parts = partials.map((partial) => partial.part);
    return {
      kind: "partial",
      count: blockCount(parts),
      text: reduceSign(reduce),
      axes: tagsOf(layout.mesh, parts),
    };
  });
  if (count === 1) return partials;
  const axes = tagsOf(layout.mesh, copies);
  return [...partials, { kind: "copies", count, text: `×${count}`, axes }];
}
