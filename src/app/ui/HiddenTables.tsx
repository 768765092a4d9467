import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { rowsOf } from "#app/scene";
import { drawn, selectedTensor } from "#app/state";
import {
  type Compiled,
  restState,
  shownState,
  stateName,
  type TensorState,
  type TensorView,
} from "#compile";
import type { Tensor } from "#core/ir";
import type { DeviceId, Layout } from "#core/mesh";
import {
  chooseTables,
  type DrawnTable,
  isSameTable,
  type StandingTables,
} from "./choose-tables.ts";
import { namedDims } from "./side/named-dims.ts";
import { useApp } from "./store-context.tsx";
import { writeRows } from "./table-body.ts";
import { devicesOfTable, mayAllStand, mostHiddenRows } from "./table-limits.ts";

/**
 * Table rows written at once with the first picture of a plan; the other tables follow when the
 * page is idle.
 */
const rowsAtOnce = 600;

/** Table rows written in one idle callback: a few milliseconds. */
const rowsAtATime = 200;

/**
 * Tables of the blocks behind every tensor drawing, for assistive technology and for tests. If all
 * rows are too many for one page, the table of the selected tensor only.
 */
export function HiddenTables() {
  const compiled = useApp(drawn);
  const selected = useApp((state) => selectedTensor(state)?.id);
  const drawnTables = useMemo(() => (compiled === undefined ? [] : drawnOf(compiled)), [compiled]);
  const devices = compiled?.mesh.mesh.devices.length ?? 1;
  const doAllStand = useMemo(
    () =>
      mayAllStand(
        drawnTables.map(({ tensor }) => tensor.shape.length),
        devices,
      ),
    [drawnTables, devices],
  );
  const all = useMemo(
    () => (doAllStand ? drawnTables : drawnTables.filter(({ tensor }) => tensor.id === selected)),
    [drawnTables, doAllStand, selected],
  );
  const written = useWritten(all, devices, selected);
  return (
    <section className="vh hidden-tables" aria-label="Tables of all tensors">
      {!doAllStand && (
        <p>
          {new Set(drawnTables.map(({ tensor }) => tensor)).size} tensors on {devices} devices have
          too many rows for one page: the table of the selected tensor stands here.
        </p>
      )}
      {written.map((each) => (
        <HiddenTable key={each.id} {...each} />
      ))}
    </section>
  );
}

function drawnOf(compiled: Compiled): readonly DrawnTable[] {
  const all = new Map(compiled.program.graph.tensors.map((tensor) => [tensor.id, tensor]));
  return compiled.tensors.flatMap((view) => {
    const tensor = all.get(view.tensor);
    return tensor === undefined ? [] : statesOf(tensor, view);
  });
}

/**
 * Tables of a tensor. If readers take it in other layouts: the drawn state, the layout at rest when
 * another state is drawn, and each distinct layout of its readers once.
 */
function statesOf(tensor: Tensor, view: TensorView): readonly DrawnTable[] {
  const { unverified, reads, shown } = view;
  const given = unverified === undefined ? {} : { unverified: unverified.rule };
  const table = (id: string, { layout, held }: TensorState, state?: string): DrawnTable => ({
    ...{ id, tensor, layout, ...given },
    ...(held !== undefined && { held }),
    ...(state !== undefined && { state }),
  });
  const { name } = tensor;
  const idOf = (state: string) => `${name}-${state.replaceAll(" ", "-")}`;
  if (reads === undefined) return [table(name, restState(view))];
  const isFirst = ({ layout, held }: TensorState, at: number) =>
    reads.findIndex((each) => each.layout === layout && each.held === held) === at;
  return [
    table(name, shownState(view), stateName(view, shown)),
    ...(shown === undefined
      ? []
      : [table(idOf(stateName(view)), restState(view), stateName(view))]),
    ...reads.filter(isFirst).map((read, at) => {
      const state = stateName(view, read);
      if (read.operand === "made") return table(idOf(state), read, state);
      return table(`${name}-as-read${at === 0 ? "" : `-by-${read.reader}`}`, read, state);
    }),
  ];
}

/**
 * Tables written in the page: a first batch and the unchanged ones at once, the rest a few per idle
 * callback, so that a large plan is drawn before its tables. A table is written whole or not at
 * all.
 */
function useWritten(
  all: readonly DrawnTable[],
  devices: number,
  selected: string | undefined,
): readonly DrawnTable[] {
  const [progress, setProgress] = useState({ all, step: 0 });
  const standing = useRef<StandingTables>(new Map());
  const step = progress.all === all ? progress.step : 0;
  const rows = step === 0 ? rowsAtOnce : rowsAtATime;
  const room = Math.max(1, Math.floor(rows / devices));
  const written = chooseTables(all, { standing: standing.current, selected, room });
  const isDone = written.length >= all.length;
  useEffect(() => {
    standing.current = new Map(written.map((each) => [each.id, each]));
    if (isDone) return;
    const next = () => setProgress({ all, step: step + 1 });
    const handle = requestIdleCallback(next, { timeout: 1000 });
    return () => cancelIdleCallback(handle);
  });
  return written;
}

const HiddenTable = memo(function HiddenTable({
  id,
  tensor,
  layout,
  held,
  state,
  unverified,
}: DrawnTable) {
  const body = useRef<HTMLTableSectionElement>(null);
  const most = mostHiddenRows(tensor.shape.length);
  const hasAll = layout.mesh.devices.length <= most;
  // A table with room for all devices does not depend on the pinned device.
  const around = useApp(({ pinnedDevice }) => (hasAll ? undefined : pinnedDevice));
  const devices = useMemo(() => devicesOfTable(layout.mesh, most, around), [layout, most, around]);
  useLayoutEffect(() => {
    const rows = rowsOf({ layout, held }, tensor, unverified, devices).slice(0, most);
    if (body.current !== null) writeRows(body.current, rows);
  }, [tensor, layout, held, unverified, devices, most]);
  return (
    <table data-testid={`table-${id}`}>
      <caption>
        {tensor.name} on {hasAll ? "every device" : pageText(devices, layout)}
        {state !== undefined && `, ${state}`}
      </caption>
      <thead>
        <tr>
          <th scope="col">device</th>
          {namedDims(tensor).map(({ dim, name }) => (
            <th scope="col" key={dim}>
              {name}
            </th>
          ))}
          <th scope="col">local shape</th>
          <th scope="col">state</th>
        </tr>
      </thead>
      <tbody ref={body} />
    </table>
  );
}, isSameTable);

/** Device range of a table, such as `devices 0 to 1999 of 65536`. */
function pageText(devices: readonly DeviceId[], { mesh }: Layout): string {
  return `devices ${devices[0]} to ${devices.at(-1)} of ${mesh.devices.length}`;
}
