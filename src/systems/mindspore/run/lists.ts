import type { Layout } from "#core/mesh";
import type { PolicyList } from "#systems/system";
import { type EdgeList, edgeLists } from "../edge-lists.ts";

/** What of an edge decides MindSpore's lists. */
interface ListedEdge {
  readonly from: Layout;
  readonly to: Layout;
  readonly shape: readonly number[];
  readonly bytesPerElement: number;
}

/**
 * MindSpore's own operator lists on an edge: raw and cleaned up, and with AllToAll where that
 * differs. All-reduces of partial sums are no part of a redistribution: the lists begin after them.
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
