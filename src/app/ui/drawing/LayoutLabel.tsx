import { labelOf } from "#app/scene";
import type { Layout } from "#core/mesh";
import { keyed } from "./keyed.ts";

export interface LayoutLabelProps {
  readonly layout: Layout;
  readonly dimNames: readonly string[];
  /** Written before the bracket, e.g. `bf16`. */
  readonly prefix?: string;
}

/** A layout in words, `[b@dp, s@(sp,mp), f]{Σ mp}`, with axis names in their ink. */
export function LayoutLabel({ layout, dimNames, prefix }: LayoutLabelProps) {
  return (
    <span className="lbl">
      {prefix}
      {keyed(labelOf(layout, dimNames)).map(({ key, item }) =>
        item.kind === "plain" ? (
          item.text
        ) : (
          <b className={`tk a${item.hue}`} key={key}>
            {item.text}
          </b>
        ),
      )}
    </span>
  );
}
