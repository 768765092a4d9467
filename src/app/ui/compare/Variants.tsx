import { Pin, PinOff, X } from "lucide-react";
import { useRef, useState } from "react";
import { formatBytes, formatBytesDelta, formatSeconds, formatSecondsDelta } from "#app/scene/text";
import { type Baseline, isStale, titleOf } from "#app/state";
import type { Compiled } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { Icon } from "../atoms/Icon.tsx";
import { IconButton } from "../atoms/IconButton.tsx";
import { createGlyphBitmaps, GlyphBitmapsContext } from "../canvas/glyph-bitmaps.ts";
import { Asked } from "../lesson/asked.tsx";
import { useApp } from "../store-context.tsx";
import { useFocusBack } from "../use-focus-back.ts";
import { letterOf } from "./letters.ts";
import { VariantPicture } from "./VariantPicture.tsx";

/** The most plans that stand side by side. */
const most = 4;

/** The pinned plans and the present one side by side; the text is the present one's. */
export function Variants({ compiled }: { readonly compiled: Compiled }) {
  const baselines = useApp((state) => state.baselines);
  const show = useApp((state) => state.showVariants);
  const pin = useApp((state) => state.pinBaseline);
  const title = useApp(titleOf);
  const stale = useApp(isStale);
  const [bitmaps] = useState(createGlyphBitmaps);
  const panel = useRef<HTMLElement>(null);
  useFocusBack(panel);
  const first = baselines[0]?.compiled ?? compiled;
  return (
    <GlyphBitmapsContext.Provider value={bitmaps}>
      <section
        ref={panel}
        className="canvas variants"
        aria-label="Variants"
        data-testid="variants"
        tabIndex={-1}
        onKeyDown={(event) => {
          if (event.key === "Escape") show(false);
        }}
      >
        <div className="vhead">
          <h2>Variants</h2>
          <span className="mut">An edit changes the plan on screen alone.</span>
          <IconButton icon={X} name="Close the variants" onClick={() => show(false)} />
        </div>
        <ol className="vgrid">
          {baselines.map((baseline, at) => (
            <Kept key={letterOf(at)} {...{ baseline, first }} letter={letterOf(at)} />
          ))}
          <li className="variant on" data-testid="variant-now" aria-current="true">
            <div className="vname">
              <b className="mono">Now</b> <span title={title}>{title}</span>
            </div>
            <Figures compiled={compiled} first={first} />
            {stale && <p className="mut">The text has errors: this is its last valid version.</p>}
            <VariantPicture compiled={compiled} />
          </li>
          {baselines.length + 1 < most && (
            <li className="variant empty">
              <button type="button" className="btn line" data-testid="variant-keep" onClick={pin}>
                <Icon icon={Pin} size={14} />
                Keep this plan as a variant
              </button>
            </li>
          )}
        </ol>
      </section>
    </GlyphBitmapsContext.Provider>
  );
}

interface KeptProps {
  readonly baseline: Baseline;
  readonly first: Compiled;
  readonly letter: string;
}

/** A pinned plan: pressing its name swaps it with the present one. */
function Kept({ baseline, first, letter }: KeptProps) {
  const swap = useApp((state) => state.swapBaseline);
  const unpin = useApp((state) => state.unpinBaseline);
  const { name, compiled } = baseline;
  return (
    <li className="variant" data-testid={`variant-${letter}`}>
      <div className="vname">
        <button
          type="button"
          className="part"
          title={`Work on ${name}; the present plan takes its place`}
          onClick={() => swap(baseline)}
        >
          <b className="mono">{letter}</b> {name}
          <span className="vh">, work on it</span>
        </button>
        <IconButton
          icon={PinOff}
          size={14}
          name={`Unpin ${letter}`}
          onClick={() => unpin(baseline)}
        />
      </div>
      <Figures compiled={compiled} first={first} />
      {hasErrors(compiled.diagnostics) && (
        <p className="mut">Its text has errors: this is what can be read of it.</p>
      )}
      <VariantPicture compiled={compiled} />
    </li>
  );
}

/** Memory, communication and time of a variant, and their ratios to the first variant's. */
function Figures({ compiled, first }: { readonly compiled: Compiled; readonly first: Compiled }) {
  const { memory, cost } = compiled;
  const isFirst = compiled === first;
  const rows = [
    [
      "memory",
      formatBytes(memory.peakBytes),
      formatBytesDelta(memory.peakBytes - first.memory.peakBytes),
    ],
    ["comm", formatBytes(cost.bytes), formatBytesDelta(cost.bytes - first.cost.bytes)],
    ["time", formatSeconds(cost.seconds), formatSecondsDelta(cost.seconds - first.cost.seconds)],
  ] as const;
  return (
    <dl className="vfigures">
      {rows.map(([name, value, change]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Asked of={name}>{value}</Asked>
          </dd>
          {!isFirst && (
            <dd className="mut">
              <Asked of={name}>{change}</Asked>
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}
