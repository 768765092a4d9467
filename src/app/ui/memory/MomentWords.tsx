import { useMemo } from "react";
import { momentAt } from "#app/scene/figures";
import { formatBytes } from "#app/scene/text";
import type { Compiled } from "#compile";
import { FiguresRow, FiguresTable } from "../atoms/FiguresTable.tsx";

interface Props {
  readonly compiled: Compiled;
  readonly at: number;
  readonly count: number;
  readonly isPeak: boolean;
}

/** A moment of the curve in words, with the tensors that are alive then. */
export function MomentWords({ compiled, at, count, isPeak }: Props) {
  const moment = useMemo(() => momentAt(compiled, at), [compiled, at]);
  if (moment === undefined) return null;
  const { step, phase, bytes, alive, others } = moment;
  return (
    <div className="moment" data-testid="memory-moment">
      <p>
        Step {at + 1} of {count}, {phase === "recompute" ? "computed anew" : phase}
        {isPeak && ", the peak"}: <b>{formatBytes(bytes)}</b> while{" "}
        <span className="mono">{step}</span>
      </p>
      <FiguresTable>
        {alive.map((item) => (
          <FiguresRow
            key={item.name}
            name={
              <>
                <span className="mono">{item.name}</span> {item.count > 1 && `×${item.count}`}
              </>
            }
            hint={item.name}
            figures={[formatBytes(item.bytes)]}
          />
        ))}
      </FiguresTable>
      {others > 0 && <p className="mut">and {others} smaller ones</p>}
    </div>
  );
}
