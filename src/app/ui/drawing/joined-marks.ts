import type { Mark, Point } from "#app/scene";

/** A mark as it is drawn: areas that look the same are one shape. */
export type DrawnMark = Exclude<Mark, { readonly kind: "path" }> | Areas;

/** Areas that do not overlap, in one look. */
export type Areas = Omit<Extract<Mark, { readonly kind: "path" }>, "kind" | "points"> & {
  readonly kind: "areas";
  readonly areas: readonly (readonly Point[])[];
};

/**
 * Joins the areas of a drawing that look the same, where the first of them stands: the cells of a
 * tensor lie beside each other, so that their order says nothing, and few shapes are drawn anew
 * sooner than many.
 */
export function joinedMarks(marks: readonly Mark[]): readonly DrawnMark[] {
  const known = new Map<string, Point[][]>();
  return marks.flatMap((mark): DrawnMark[] => {
    if (mark.kind !== "path") return [mark];
    const { kind: _, points, ...look } = mark;
    const key = `${look.role} ${look.hue} ${look.tint} ${look.opacity}`;
    const areas = known.get(key);
    if (areas !== undefined) {
      areas.push([...points]);
      return [];
    }
    const begun = [[...points]];
    known.set(key, begun);
    return [{ ...look, kind: "areas", areas: begun }];
  });
}
