import type { Layout } from "#core/mesh";
import type { PolicyList } from "#systems/system";
import { type EdgeList, edgeLists } from "../edge-lists.ts";

/** The facts of an edge that determine MindSpore's lists. */
interface ListedEdge {
  readonly from: Layout;
  readonly to: Layout;
  readonly shape: readonly number[];
  readonly bytesPerElement: number;
}

/**
 * MindSpore's own operator lists on an edge: raw and cleaned up, and with AllToAll if that differs.
 * All-reduces of partial sums are not part of MindSpore's redistribution: these lists begin after
 * them.
 */
export function mindsporeLists({
  from,
  to,
  shape,
  bytesPerElement,
}: ListedEdge): readonly PolicyList[] {
  const lists = edgeLists({ ...from, partials: [] }, to, shape);
  if (lists === undefined || lists.raw.text === "") return [];
  const formed = (form: PolicyList["form"], { text, elements, largest }: EdgeList) => {
    const bytes = elements * bytesPerElement;
    return { form, text, bytes, largestBytes: largest * bytesPerElement };
  };
  const { raw, clean, allToAll } = lists;
  return [
    ...(raw.text === clean.text
      ? [formed("both", raw)]
      : [formed("raw", raw), formed("clean", clean)]),
    ...(allToAll === undefined ? [] : [formed("all-to-all", allToAll)]),
  ];
}
