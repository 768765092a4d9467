import { memo, useEffect, useMemo, useRef, useState } from "react";
import { rowsOf } from "#app/scene";
import { type Compiled, drawn, selectedTensor } from "#app/state";
import type { Tensor } from "#core/ir";
import { type Layout, layoutKey } from "#core/mesh";
import { namedDims } from "./side/named-dims.ts";
import { useApp } from "./store-context.tsx";

/** Rows that are written together with the picture; the other tables follow as there is time. */
const rowsAtOnce = 600;

/** Rows that are written in all; further tensors have their table only while selected. */
const rowsInAll = 20_000;

/** The table behind the drawing of every tensor, for assistive technology and for checks. */
export function HiddenTables() {
  const compiled = useApp(drawn);
  const selected = useApp((state) => selectedTensor(state)?.id);
  const all = useMemo(() => (compiled === undefined ? [] : drawnOf(compiled)), [compiled]);
  const written = useWritten(all, compiled?.mesh.mesh.devices.length ?? 1, selected);
  return (
    <section className="vh hidden-tables" aria-label="Tables of all tensors">
      {written.map((each) => (
        <HiddenTable key={each.tensor.id} {...each} />
      ))}
    </section>
  );
}

interface Drawn {
  readonly tensor: Tensor;
  readonly layout: Layout;
  /** Equal for tables that read the same. */
  readonly signature: string;
}

function drawnOf(compiled: Compiled): readonly Drawn[] {
  const all = new Map(compiled.program.graph.tensors.map((tensor) => [tensor.id, tensor]));
  return compiled.tensors.flatMap(({ tensor: id, layout }) => {
    const tensor = all.get(id);
    if (tensor === undefined) return [];
    const words = [tensor.name, tensor.shape, tensor.dimNames, layoutKey(layout)];
    return [{ tensor, layout, signature: words.join(" | ") }];
  });
}

/**
 * The tables that stand in the page: a first batch at once and those that did not change, the rest
 * a batch at a time, so that large plans are drawn before all their tables are. A table is there
 * as a whole or not at all.
 */
function useWritten(
  drawn: readonly Drawn[],
  devices: number,
  selected: string | undefined,
): readonly Drawn[] {
  const batch = Math.max(1, Math.floor(rowsAtOnce / devices));
  const [progress, setProgress] = useState({ drawn, batches: 1 });
  const batches = progress.drawn === drawn ? progress.batches : 1;
  const standing = useRef<ReadonlySet<string>>(new Set());
  const most = Math.min(batches * batch, Math.ceil(rowsInAll / devices));
  const written = drawn.filter(
    ({ tensor, signature }, at) =>
      at < most || tensor.id === selected || standing.current.has(signature),
  );
  const isDone = written.length === drawn.length || batches * batch > rowsInAll / devices;
  useEffect(() => {
    standing.current = new Set(written.map(({ signature }) => signature));
    if (isDone) return;
    const next = () => setProgress({ drawn, batches: batches + 1 });
    const handle = requestIdleCallback(next, { timeout: 500 });
    return () => cancelIdleCallback(handle);
  });
  return written;
}

const HiddenTable = memo(
  function HiddenTable({ tensor, layout }: Drawn) {
    const rows = rowsOf(layout, tensor.shape);
    const dims = namedDims(tensor);
    return (
      <table data-testid={`table-${tensor.name}`}>
        <caption>{tensor.name} on every device</caption>
        <thead>
          <tr>
            <th scope="col">device</th>
            {dims.map(({ dim, name }) => (
              <th scope="col" key={dim}>
                {name}
              </th>
            ))}
            <th scope="col">local shape</th>
            <th scope="col">state</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.device}.${row.piece}`} data-device={row.device}>
              <th scope="row">{row.device}</th>
              {dims.map(({ dim }) => (
                <td key={dim} data-start={row.ranges[dim]?.start} data-stop={row.ranges[dim]?.stop}>
                  {row.ranges[dim]?.text}
                </td>
              ))}
              <td data-local-shape={row.localShape.join(",")}>{row.localShape.join(" × ")}</td>
              <td>{row.state}</td>
            </tr>
          ))}
        </tbody>
      </table>
    );
  },
  (before, after) => before.signature === after.signature,
);
