import { ArrowLeftRight, Pin, PinOff } from "lucide-react";
import { formatBytesDelta, formatSecondsDelta } from "#app/scene";
import type { Compiled } from "#app/state";
import { IconButton } from "../atoms/IconButton.tsx";
import { useApp } from "../store-context.tsx";

/** What the last edit did to the numbers, or how they stand against the baseline. */
export function Deltas({ compiled }: { readonly compiled: Compiled | undefined }) {
  const baseline = useApp((state) => state.baseline);
  const since = useApp((state) => state.since);
  const before =
    baseline === undefined
      ? since?.before
      : {
          peakBytes: baseline.compiled.memory.peakBytes,
          bytes: baseline.compiled.cost.bytes,
          seconds: baseline.compiled.cost.seconds,
        };
  const label = baseline?.name ?? since?.label;
  if (before === undefined || compiled === undefined) {
    return (
      <div className="d-delta">
        <div className="k">
          Change since the last edit
          <PinButtons />
        </div>
        <div className="dlt mut">Nothing is edited yet</div>
      </div>
    );
  }
  return (
    <div className="d-delta" data-testid="hud-delta">
      <div className="k">
        {baseline === undefined ? "Since" : "Against"}
        <span className="since" title={label}>
          {label}
        </span>
        <PinButtons />
      </div>
      <div className="dlt">
        <span>
          mem <b>{formatBytesDelta(compiled.memory.peakBytes - before.peakBytes)}</b>
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

function PinButtons() {
  const hasBaseline = useApp((state) => state.baseline !== undefined);
  const pin = useApp((state) => state.pinBaseline);
  const unpin = useApp((state) => state.unpinBaseline);
  const swap = useApp((state) => state.swapBaseline);
  return (
    <span className="pin-buttons">
      {hasBaseline ? (
        <>
          <IconButton
            icon={ArrowLeftRight}
            size={14}
            name="Swap with the baseline"
            onClick={() => swap()}
          />
          <IconButton icon={PinOff} size={14} name="Unpin the baseline" onClick={() => unpin()} />
        </>
      ) : (
        <IconButton icon={Pin} size={14} name="Pin this plan as the baseline" onClick={pin} />
      )}
    </span>
  );
}
