import { ArrowLeftRight, Pin, PinOff } from "lucide-react";
import { Icon } from "../atoms/Icon.tsx";
import { useApp } from "../store-context.tsx";
import { VariantsButton } from "./VariantsButton.tsx";

/** Buttons that pin the plan on screen as baseline, swap the two, and unpin the baseline. */
export function BaselineButtons() {
  const baseline = useApp((state) => state.baseline);
  const pin = useApp((state) => state.pinBaseline);
  const unpin = useApp((state) => state.unpinBaseline);
  const swap = useApp((state) => state.swapBaseline);
  return (
    <span className="baseline-buttons">
      <button type="button" className="btn line" data-testid="baseline-pin" onClick={pin}>
        <Icon icon={Pin} size={14} />
        {baseline === undefined ? "Pin as baseline" : "Pin"}
      </button>
      {baseline !== undefined && (
        <>
          <VariantsButton />
          <button
            type="button"
            className="btn line"
            data-testid="baseline-swap"
            onClick={() => swap()}
          >
            <Icon icon={ArrowLeftRight} size={14} />
            Swap
          </button>
          <button
            type="button"
            className="btn line"
            data-testid="baseline-unpin"
            onClick={() => unpin()}
          >
            <Icon icon={PinOff} size={14} />
            Unpin
          </button>
        </>
      )}
    </span>
  );
}
