import { ArrowLeftRight, Pin, PinOff } from "lucide-react";
import type { Compiled } from "#compile";
import { IconButton } from "../atoms/IconButton.tsx";
import { Loading } from "../atoms/Loading.tsx";
import { useAsksForAny } from "../lesson/asked.tsx";
import { useApp } from "../store-context.tsx";
import { type Change, useChange } from "./use-change.ts";

/** The changes of the numbers by the last edit, or their differences from the baseline. */
export function Deltas({ compiled }: { readonly compiled: Compiled | undefined }) {
  const change = useChange(compiled);
  const isKept = useAsksForAny();
  if (change === undefined) {
    return (
      <div className="d-delta">
        <div className="k">
          Change since the last edit
          <PinButtons />
        </div>
        <div className="dlt mut">
          {compiled === undefined ? (
            <Loading />
          ) : isKept ? (
            "said once the lesson is answered"
          ) : (
            "Nothing is edited yet"
          )}
        </div>
      </div>
    );
  }
  return (
    <div className="d-delta" data-testid="hud-delta">
      <div className="k">
        {change.head}
        <span className="since" title={change.label}>
          {change.label}
        </span>
        <PinButtons />
      </div>
      <div className="dlt">
        <ChangedBytes change={change} />
        <span>
          time <b>{brief(change.time)}</b>
        </span>
      </div>
    </div>
  );
}

/**
 * The change of the bytes by the last edit, on one line of a phone; nothing before the first edit.
 */
export function ChangeLine({ compiled }: { readonly compiled: Compiled }) {
  const change = useChange(compiled);
  if (change === undefined) return null;
  return (
    <p className="dlt change-line" data-testid="change-line">
      <span className="since" title={change.label}>
        {change.isAgainstBaseline ? `${change.head}: ${change.label}` : change.label}
      </span>
      <ChangedBytes change={change} />
    </p>
  );
}

function ChangedBytes({ change: { memory, comm } }: { readonly change: Change }) {
  return (
    <>
      <span>
        mem <b>{brief(memory)}</b>
      </span>
      <span>
        comm <b>{brief(comm)}</b>
      </span>
    </>
  );
}

/** `change unknown` without `change`, which the heading says: three of them share one line. */
function brief(delta: string): string {
  return delta.replace(/^change /, "");
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
