import { ArrowLeftRight, Pin, PinOff } from "lucide-react";
import { useApp } from "../store-context.tsx";

/** Pins the plan on screen, swaps with the plan that changes count from, and lets go of it. */
export function BaselineButtons() {
  const baseline = useApp((state) => state.baseline);
  const pin = useApp((state) => state.pinBaseline);
  const unpin = useApp((state) => state.unpinBaseline);
  const swap = useApp((state) => state.swapBaseline);
  return (
    <span className="baseline-buttons">
      <button type="button" className="btn line" data-testid="baseline-pin" onClick={pin}>
        <Pin className="ico" size={14} strokeWidth={1.75} aria-hidden="true" />
        {baseline === undefined ? "Pin as baseline" : "Pin"}
      </button>
      {baseline !== undefined && (
        <>
          <button
            type="button"
            className="btn line"
            data-testid="baseline-swap"
            onClick={() => swap()}
          >
            <ArrowLeftRight className="ico" size={14} strokeWidth={1.75} aria-hidden="true" />
            Swap
          </button>
          <button
            type="button"
            className="btn line"
            data-testid="baseline-unpin"
            onClick={() => unpin()}
          >
            <PinOff className="ico" size={14} strokeWidth={1.75} aria-hidden="true" />
            Unpin
          </button>
        </>
      )}
    </span>
  );
}
