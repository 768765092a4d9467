import type { Span } from "#core/diagnostics";
import { callWith } from "../values/call.ts";
import { lessThan } from "../values/compare.ts";
import type { Runtime } from "../values/runtime.ts";
import { truth } from "../values/truth.ts";
import type { Value } from "../values/value.ts";

/**
 * Items sorted stably by `<` on their keys. A merge sort, so that every comparison can call the
 * text's methods.
 */
export function sorted(
  rt: Runtime,
  items: readonly Value[],
  key: Value | undefined,
  reverse: Value | undefined,
  span: Span,
): Value[] {
  const isReversed = reverse !== undefined && truth(rt, reverse, span);
  const ranked = items.map((item) => ({
    item,
    rank: key === undefined || key.kind === "none" ? item : callWith(rt, key, [item], span),
  }));
  rt.allocate(items.length, span);
  if (isReversed) ranked.reverse();
  const order = mergeSort(ranked, (a, b) => {
    rt.tick(1, span);
    return lessThan(rt, a.rank, b.rank, span);
  });
  if (isReversed) order.reverse();
  return order.map(({ item }) => item);
}

function mergeSort<T>(items: readonly T[], isLess: (a: T, b: T) => boolean): T[] {
  if (items.length < 2) return [...items];
  const middle = items.length >> 1;
  const left = mergeSort(items.slice(0, middle), isLess);
  const right = mergeSort(items.slice(middle), isLess);
  const merged: T[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const a = left[i];
    const b = right[j];
    if (a === undefined || b === undefined) break;
    if (isLess(b, a)) {
      merged.push(b);
      j += 1;
    } else {
      merged.push(a);
      i += 1;
    }
  }
  return [...merged, ...left.slice(i), ...right.slice(j)];
}
