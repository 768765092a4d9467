import { formatBytesDelta, formatSecondsDelta } from "#app/scene";
import type { Compiled } from "#app/state";
import { useApp } from "../store-context.tsx";

/** What the last edit did to the numbers. */
export function Deltas({ compiled }: { readonly compiled: Compiled | undefined }) {
  const since = useApp((state) => state.since);
  if (since === undefined || compiled === undefined) {
    return (
      <div className="d-delta">
        <div className="k">Change since the last edit</div>
        <div className="dlt mut">Nothing is edited yet</div>
      </div>
    );
  }
  const { before, label } = since;
  const memory = compiled.memory.peakBytes - before.peakBytes;
  return (
    <div className="d-delta" data-testid="hud-delta">
      <div className="k">
        Since
        <span className="since" title={label}>
          {label}
        </span>
      </div>
      <div className="dlt">
        <span>
          mem <b>{formatBytesDelta(memory)}</b>
        </span>
        <span>
          comm <b>{formatBytesDelta(compiled.cost.bytes - before.bytes)}</b>
        </span>
        <span>
          time <b>{formatSecondsDelta(compiled.cost.seconds - before.seconds)}</b>
        </span>
      </div>
    </div>
  );
}
