import type { Operator } from "#core/ir";

/** Entries that compute nothing: they show a tensor in another shape, order or type, or a part of it. */
const views: ReadonlySet<string> = new Set([
  ...["reshape", "flatten", "squeeze", "unsqueeze", "permute", "transpose", "expand"],
  ...["identity", "cast", "split", "chunk", "slice", "select"],
]);

/** Whether an operator can stay inside the edge that it lies on. */
function isView({ entry }: Operator): boolean {
  return entry !== undefined && views.has(entry);
}

/** The operators that get a row; all of them where there would be none. */
export function rowOperators(
  operators: readonly Operator[],
  showsViews: boolean,
): readonly Operator[] {
  const computing = showsViews ? operators : operators.filter((each) => !isView(each));
  return computing.length === 0 ? operators : computing;
}
