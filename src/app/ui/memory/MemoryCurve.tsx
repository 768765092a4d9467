import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from "react";
import { memoryCurve } from "#app/scene/figures";
import { formatBytes } from "#app/scene/text";
import type { Compiled } from "#compile";
import { useWidth } from "../use-width.ts";
import { CurveDrawing } from "./CurveDrawing.tsx";
import { plotOf } from "./curve-plot.ts";
import { MomentWords } from "./MomentWords.tsx";

const height = 168;

/** The memory of the fullest device over a step; a pointer or the arrow keys read a moment of it. */
export function MemoryCurve({ compiled }: { readonly compiled: Compiled }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 360);
  const curve = useMemo(() => memoryCurve(compiled), [compiled]);
  const [picked, pick] = useState<{ readonly of: Compiled; readonly at: number }>();
  const room = compiled.hardware.memoryBytes;
  const plot = useMemo(
    () => (curve === undefined ? undefined : plotOf(curve, room, { width, height })),
    [curve, room, width],
  );
  if (curve === undefined || plot === undefined) {
    return (
      <p className="mut">The curve over the step is not known: a shape of the program is not.</p>
    );
  }
  const { bytes, peak } = curve;
  const at = picked?.of === compiled ? picked.at : peak;
  const go = (next: number) =>
    pick({ of: compiled, at: Math.min(bytes.length - 1, Math.max(0, next)) });
  const onPointer = (event: PointerEvent<HTMLDivElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    go(plot.stepAt(event.clientX - left));
  };
  const onKey = (event: KeyboardEvent) => {
    const next = afterKey(event.key, at, bytes.length);
    if (next === undefined) return;
    event.preventDefault();
    go(next);
  };
  return (
    <figure className="memory-curve" data-testid="memory-curve" data-step={at}>
      <div
        ref={box}
        className="plot"
        role="slider"
        tabIndex={0}
        aria-label="Memory over the step"
        aria-valuemin={0}
        aria-valuemax={bytes.length - 1}
        aria-valuenow={at}
        aria-valuetext={`step ${at + 1} of ${bytes.length}, ${formatBytes(bytes[at] ?? 0)}${at === peak ? ", the peak" : ""}`}
        style={{ height }}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onKeyDown={onKey}
      >
        <CurveDrawing curve={curve} plot={plot} at={at} limit={room} size={{ width, height }} />
      </div>
      <figcaption>
        <MomentWords compiled={compiled} at={at} count={bytes.length} isPeak={at === peak} />
        {at !== peak && (
          <button type="button" className="lk" onClick={() => go(peak)}>
            To the peak
          </button>
        )}
      </figcaption>
    </figure>
  );
}

/** The moment that a key leads to: a step, a twentieth of all, or an end. */
function afterKey(key: string, at: number, count: number): number | undefined {
  const far = Math.max(1, Math.round(count / 20));
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return at + 1;
    case "ArrowLeft":
    case "ArrowDown":
      return at - 1;
    case "PageUp":
      return at + far;
    case "PageDown":
      return at - far;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
