import type { AxisTag } from "#app/scene";

/** A mesh axis by name, in its hue. */
export function AxisChip({ tag }: { readonly tag: AxisTag }) {
  return <span className={`ax a${tag.hue}`}>{tag.text}</span>;
}
