import type { BoardLayout } from "#app/scene/board";
import type { ModuleMetric } from "#app/scene/figures";
import { ZoomTools } from "../canvas/ZoomTools.tsx";
import { useApp, useAppStore } from "../store-context.tsx";
import { ViewsSwitch } from "./ViewsSwitch.tsx";

interface Props {
  readonly layout: BoardLayout | undefined;
  readonly zoom: number;
  readonly zoomBy: (by: 1 | -1) => void;
  readonly fit: () => void;
}

/** Foot of the board: legend, number of hidden operators, zoom. */
export function BoardFoot({ layout, zoom, zoomBy, fit }: Props) {
  return (
    <div className="bfoot">
      <div className="blegend">
        <HeatChoice full={layout?.full ?? ""} />
        <span>
          <span className="bswatch">
            <i style={{ height: "100%" }} />
          </span>
          exposed: compute waits
        </span>
        <span>
          <i className="bhidden" />
          hidden under compute
        </span>
      </div>
      <ViewsSwitch hidden={layout?.hiddenOperators ?? 0} time={layout?.hiddenTime ?? ""} />
      <ZoomTools
        className="bzoom"
        zoom={zoom}
        zoomOut={() => zoomBy(-1)}
        zoomIn={() => zoomBy(1)}
        whole={["Fit the board", fit]}
      />
    </div>
  );
}

const heats = [
  ["time", "time"],
  ["bytes", "bytes"],
  ["memory", "memory"],
] as const satisfies readonly (readonly [ModuleMetric, string])[];

/** Choice of the quantity that the cards' bars show, and the amount of a full bar. */
function HeatChoice({ full }: { readonly full: string }) {
  const heat = useApp((state) => state.settings.heat);
  const { set } = useAppStore().getState();
  return (
    <label>
      <i className="bheat" />
      <select
        aria-label="Bars of the cards"
        value={heat}
        onChange={({ target }) => {
          const chosen = heats.find(([metric]) => metric === target.value);
          if (chosen !== undefined) set({ heat: chosen[0] });
        }}
      >
        {heats.map(([metric, words]) => (
          <option key={metric} value={metric}>
            {words}
          </option>
        ))}
      </select>
      {full === "" ? "none" : `full = ${full}`}
    </label>
  );
}
