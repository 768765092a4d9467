import { useId, useState } from "react";
import type { Compiled } from "#compile";
import { useApp } from "../store-context.tsx";

const giga = 1e9;

/** Which blocks a training step recomputes in its backward pass, written into `train(…)`. */
export function RecomputeChoice({ compiled }: { readonly compiled: Compiled }) {
  const id = useId();
  const status = useApp((state) => state.recompute);
  const computeAgain = useApp((state) => state.computeAgain);
  const within = useApp((state) => state.computeAgainWithin);
  const [wanted, setWanted] = useState<string>();
  const { operators } = compiled.program.graph;
  if (!operators.some(({ phase }) => phase === "backward")) return null;
  const again = operators.filter(({ phase }) => phase === "recompute").length;
  const room = String(Number((compiled.hardware.memoryBytes / giga).toPrecision(3)));
  const budget = wanted ?? room;
  const bytes = Number(budget) * giga;
  const isWorking = status.kind === "working";
  const said = status.kind === "said" && status.source === compiled.source ? status.text : "";
  return (
    <form
      className="recompute"
      data-testid="recompute"
      onSubmit={(event) => {
        event.preventDefault();
        if (bytes > 0) void within(bytes);
      }}
    >
      <p>
        Computed again for the backward pass:{" "}
        <b>{again === 0 ? "nothing" : `${again} operators`}</b>
      </p>
      <div className="recompute-ways">
        <button type="button" className="btn line" onClick={() => void computeAgain("none")}>
          Nothing
        </button>
        <button type="button" className="btn line" onClick={() => void computeAgain("full")}>
          Every block
        </button>
        <span className="recompute-budget">
          <label htmlFor={id}>As many blocks as hold it within</label>
          <input
            id={id}
            className="field"
            inputMode="decimal"
            value={budget}
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
          GB
          <button type="submit" className="btn line" disabled={isWorking || !(bytes > 0)}>
            {isWorking ? "Working it out" : "Fit"}
          </button>
        </span>
      </div>
      <p role="status">{said}</p>
    </form>
  );
}
