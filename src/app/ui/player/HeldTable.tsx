import { useMemo } from "react";
import { formatBytes, type HeldNow, heldNow, rowsOf } from "#app/scene";
import type { Compiled } from "#app/state";
import { FiguresRow, FiguresTable } from "../atoms/FiguresTable.tsx";
import { LayoutLabel } from "../drawing/LayoutLabel.tsx";
import { useApp } from "../store-context.tsx";

/** Rows that are written; the rest are counted. */
const most = 40;

interface Props {
  readonly compiled: Compiled;
  /** Which step of the program, by its place among all. */
  readonly place: number;
}

/** Which tensors every device holds while a step runs; of a pinned device also which part. */
export function HeldTable({ compiled, place }: Props) {
  const held = useMemo(() => heldNow(compiled, place), [compiled, place]);
  const device = useApp((state) => state.pinnedDevice);
  const total = held.reduce((sum, { bytes }) => sum + bytes, 0);
  const rest = held.length - most;
  return (
    <details className="held" data-testid="held-now">
      <summary>
        Held meanwhile{device === undefined ? "" : ` on device ${device}`}: {held.length}{" "}
        {held.length === 1 ? "tensor" : "tensors"}, {formatBytes(total)}
      </summary>
      <FiguresTable>
        {held.slice(0, most).map((each) => (
          <FiguresRow
            key={each.key}
            tone={each.use === undefined ? "mut" : "on"}
            name={
              <>
                {each.name}{" "}
                <LayoutLabel layout={each.drawn.layout} dimNames={each.drawn.dimNames} />
                {device !== undefined && <small> {partText(each, device)}</small>}
              </>
            }
            figures={[each.use ?? "", formatBytes(each.bytes)]}
          />
        ))}
      </FiguresTable>
      {rest > 0 && <p className="mut">and {rest} more</p>}
    </details>
  );
}

/** `b 0…255, f 0…2047`: what a device has of a tensor. */
function partText({ drawn }: HeldNow, device: number): string {
  const { layout, shape, dimNames } = drawn;
  return rowsOf(layout, shape)
    .filter((row) => row.device === device)
    .map(({ ranges }) =>
      ranges.map(({ text }, dim) => `${dimNames[dim] ?? `d${dim}`} ${text}`).join(", "),
    )
    .join(" and ");
}
