import { useEffect, useMemo, useState } from "react";
import type { InspectedValue, InspectResult } from "#app/engine";
import { type AppState, shown } from "#app/state";
import type { DeviceId } from "#core/mesh";
import { useApp } from "../store-context.tsx";
import { differenceText } from "./difference-text.ts";
import { HeatMap } from "./HeatMap.tsx";

/** Most devices whose values are fetched and drawn. */
const mostDevices = 8;

/** Values on some devices before and after a step, fetched from the run on demand. */
export function StepValues({ place }: { readonly place: number }) {
  const devices = useApp(shownDevices);
  const count = useApp((state) => shown(state)?.program.devices.length ?? 0);
  const seen = useSeen(place, devices);
  if (seen === undefined) return <div className="values" aria-busy="true" />;
  if (seen.kind !== "step") {
    return <p className="values mut">{seen.kind === "nothing" ? seen.why : ""}</p>;
  }
  const ids = devices.split(" ");
  return (
    <section
      className="values"
      aria-label="What devices hold"
      data-testid="step-values"
      data-place={place}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys too
      tabIndex={0}
    >
      <Side name="Before" values={seen.before} />
      <Side name="After" values={seen.after} />
      {count > ids.length && (
        <p className="mut">
          Devices {ids.join(", ")} of {count}: pin others to see them.
        </p>
      )}
    </section>
  );
}

/** Devices to draw, as one string: the pinned ones, then the first ones. */
function shownDevices(state: AppState): string {
  const all = shown(state)?.program.devices ?? [];
  const pinned = [state.pinnedDevice, state.comparedDevice].filter((each) => each !== undefined);
  const rest = all.filter((device) => !pinned.includes(device));
  return [...pinned, ...rest]
    .slice(0, mostDevices)
    .sort((a, b) => a - b)
    .join(" ");
}

/**
 * Values of a step in the last run; requested again for each run and step. `undefined` until the
 * answer.
 */
function useSeen(step: number, devices: string): InspectResult | undefined {
  const look = useApp((state) => state.lookAtRun);
  const run = useApp((state) => state.run);
  const [seen, setSeen] = useState<InspectResult>();
  useEffect(() => {
    if (run.kind !== "done") return;
    let isWanted = true;
    const ids: readonly DeviceId[] = devices.split(" ").map(Number);
    void look({ kind: "step", step, devices: ids }).then((next) => {
      if (isWanted) setSeen(next);
    });
    return () => {
      isWanted = false;
    };
  }, [look, run, step, devices]);
  return seen;
}

/** Greatest absolute value in the drawn blocks of a tensor. */
function greatest({ blocks }: InspectedValue): number {
  let most = 0;
  for (const block of blocks) {
    for (const number of block.values) {
      if (Number.isFinite(number)) most = Math.max(most, Math.abs(number));
    }
  }
  return most;
}

interface SideProps {
  readonly name: string;
  readonly values: readonly InspectedValue[];
}

function Side({ name, values }: SideProps) {
  return (
    <section className="values-side" aria-label={name}>
      <h3>{name}</h3>
      {values.map((value) => (
        <ValueRow key={value.tensor} value={value} />
      ))}
    </section>
  );
}

function ValueRow({ value }: { readonly value: InspectedValue }) {
  const most = useMemo(() => greatest(value), [value]);
  const keyed = useMemo(
    () => value.blocks.map((block) => ({ block, key: `${block.device} ${block.box.join(" ")}` })),
    [value],
  );
  return (
    <div className="values-row">
      <p className="values-name">
        <b className="mono">{value.name}</b>
        <span className="mut nowrap">
          <span className="values-bar" aria-hidden="true" /> −{differenceText(most)} …{" "}
          {differenceText(most)}
        </span>
      </p>
      <div className="values-tiles">
        {keyed.map(({ block, key }) => (
          <HeatMap key={key} name={value.name} block={block} most={most} />
        ))}
      </div>
    </div>
  );
}
