import { memo, useMemo } from "react";
import { rowsOf } from "#app/scene";
import { type Compiled, shown, type TensorView } from "#app/state";
import type { Tensor } from "#core/ir";
import { namedDims } from "./side/named-dims.ts";
import { useApp } from "./store-context.tsx";

/** Rows that are written in all; further tensors have their table only while selected. */
const allRows = 20_000;

/** The table behind the drawing of every tensor, for assistive technology and for checks. */
export function HiddenTables() {
  const compiled = useApp(shown);
  const drawn = useMemo(() => (compiled === undefined ? [] : drawnOf(compiled)), [compiled]);
  return (
    <section className="vh" aria-label="Tables of all tensors">
      {drawn.map(({ tensor, view }) => (
        <HiddenTable key={tensor.id} tensor={tensor} view={view} />
      ))}
    </section>
  );
}

interface Drawn {
  readonly tensor: Tensor;
  readonly view: TensorView;
}

function drawnOf(compiled: Compiled): readonly Drawn[] {
  const most = Math.ceil(allRows / Math.max(1, compiled.mesh.mesh.devices.length));
  return compiled.tensors.slice(0, most).flatMap((view) => {
    const tensor = compiled.graph.tensors.find(({ id }) => id === view.tensor);
    return tensor === undefined ? [] : [{ tensor, view }];
  });
}

const HiddenTable = memo(function HiddenTable({ tensor, view }: Drawn) {
  const rows = rowsOf(view.layout, tensor.shape);
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
});
