import { useMemo, useState } from "react";
import { heldText, liveTensors } from "#app/scene/player";
import { formatBytes } from "#app/scene/text";
import type { Compiled } from "#compile";
import { FiguresRow, FiguresTable } from "../atoms/FiguresTable.tsx";
import { LayoutLabel } from "../drawing/LayoutLabel.tsx";
import { useApp } from "../store-context.tsx";

/** The most rows that are written out; the others are counted. */
const most = 40;

interface Props {
  readonly compiled: Compiled;
  /** The step's place among all steps of the program. */
  readonly place: number;
}

/** The tensors that every device holds while a step runs; for a pinned device also the parts. */
export function HeldTable({ compiled, place }: Props) {
  const held = useMemo(() => liveTensors(compiled, place), [compiled, place]);
  const device = useApp((state) => state.pinnedDevice);
  const total = held.reduce((sum, { bytes }) => sum + bytes, 0);
  const rest = held.length - most;
  // A folded table is not in the page either.
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="held"
      data-testid="held-now"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        Held meanwhile{device === undefined ? "" : ` on device ${device}`}: {held.length}{" "}
        {held.length === 1 ? "tensor" : "tensors"}, {formatBytes(total)}
      </summary>
      {isOpen && (
        <FiguresTable>
          {held.slice(0, most).map((each) => (
            <FiguresRow
              key={each.key}
              tone={each.use === undefined ? "mut" : "on"}
              name={
                <>
                  {each.name}{" "}
                  <LayoutLabel layout={each.drawn.layout} dimNames={each.drawn.dimNames} />
                  {device !== undefined && <small> {heldText(each, device)}</small>}
                </>
              }
              figures={[each.use ?? "", formatBytes(each.bytes)]}
            />
          ))}
        </FiguresTable>
      )}
      {isOpen && rest > 0 && <p className="mut">and {rest} more</p>}
    </details>
  );
}
