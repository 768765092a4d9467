import { type FormEvent, useEffect, useState } from "react";
import { memoryLimitOf } from "#app/state/planning";
import { useApp } from "../store-context.tsx";

/** Bytes of a gigabyte. */
const giga = 1e9;

/** How much a device may hold; Enter plans again. */
export function MemoryLimit() {
  const limit = useApp(memoryLimitOf);
  const limitMemory = useApp((state) => state.limitMemory);
  const start = useApp((state) => state.startPlan);
  const [text, setText] = useState(textOf(limit));
  useEffect(() => setText(textOf(limit)), [limit]);
  const bytes = bytesIn(text);
  const plan = (event: FormEvent) => {
    event.preventDefault();
    if (bytes === undefined) return;
    limitMemory(bytes);
    void start();
  };
  return (
    <form className="planner-limit" onSubmit={plan}>
      <label>
        Memory per device, at most
        <span className="planner-field">
          <input
            className="field"
            data-testid="plan-memory-limit"
            inputMode="decimal"
            placeholder="no limit"
            aria-invalid={bytes === undefined}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          GB
        </span>
      </label>
      <button
        type="submit"
        className="btn line"
        data-testid="plan-again"
        disabled={bytes === undefined}
      >
        Plan again
      </button>
      {bytes === undefined && (
        <p className="bad">A number of gigabytes, or nothing for no limit.</p>
      )}
    </form>
  );
}

function textOf(limit: number | undefined): string {
  return limit === undefined ? "" : String(limit / giga);
}

/** A typed limit in bytes: 0 for none, `undefined` where the text is no number. */
function bytesIn(text: string): number | undefined {
  if (text.trim() === "") return 0;
  const value = Number(text.replace(",", "."));
  return Number.isFinite(value) && value > 0 ? value * giga : undefined;
}
