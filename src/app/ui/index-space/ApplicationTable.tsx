import { useMemo } from "react";
import { type ApplicationRow, applicationRows } from "#app/scene/index-space";
import { shown } from "#app/state";
import { TableHead } from "../atoms/TableHead.tsx";
import { keyed } from "../drawing/keyed.ts";
import { idsText } from "../side/mesh-groups.ts";
import { useActions, useApp } from "../store-context.tsx";
import { type Operation, slotText } from "./operation-view.ts";

/** Most listed Applications; the rest are counted. */
const most = 64;

/** Applications of an operation: index, devices under the drawn plan, selections. */
export function ApplicationTable({ operation }: { readonly operation: Operation }) {
  const compiled = useApp(shown);
  const rows = useMemo(
    () => (compiled === undefined ? [] : applicationRows(compiled, operation)),
    [compiled, operation],
  );
  if (rows.length === 0) return null;
  return (
    <>
      <h4>
        {rows.length} {rows.length === 1 ? "Application" : "Applications"}
      </h4>
      <table className="tbl apps" data-testid="applications">
        <caption className="vh">Applications of the operation</caption>
        <TableHead names={["Application", "devices", "selections"]} />
        <tbody>
          {rows.slice(0, most).map((row) => (
            <Row key={row.id} row={row} operation={operation} />
          ))}
        </tbody>
      </table>
      {rows.length > most && <p className="mut">{rows.length - most} more Applications.</p>}
    </>
  );
}

function Row({ row, operation }: { readonly row: ApplicationRow; readonly operation: Operation }) {
  const { editGraph } = useActions();
  const reveal = useApp((state) => state.reveal);
  const say = useApp((state) => state.say);
  const { name, index, devices, selections, span, id } = row;
  const takeOut = async () => {
    const reason = await editGraph(
      { kind: "remove-node", node: id },
      `Take out Application ${name}`,
    );
    if (reason !== undefined) say({ kind: "refused", text: `Not taken out: ${reason}.` });
  };
  return (
    <tr data-application={id}>
      <th scope="row">
        <button type="button" className="lk" onClick={() => reveal(span)}>
          {name}
        </button>
        {index !== undefined && <span className="mono">{index}</span>}
        <button
          type="button"
          className="lk"
          aria-label={`Take out Application ${name}`}
          onClick={() => void takeOut()}
        >
          take out
        </button>
      </th>
      <td>{devices.length === 0 ? "none: the plan cuts otherwise" : idsText(devices)}</td>
      <td>
        {keyed(operation.operands).map(({ key, item: operand }) => (
          <span className="sel" key={key}>
            {slotText(operand)} <span className="mono">{selections[key] ?? "not selected"}</span>
          </span>
        ))}
      </td>
    </tr>
  );
}
