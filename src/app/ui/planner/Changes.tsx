import type { PlanChange } from "#app/engine";
import { TableHead } from "../atoms/TableHead.tsx";

/** The most rows that are shown. */
const mostRows = 12;

/** The operators that a plan cuts otherwise than the text does. */
export function Changes({ changes }: { readonly changes: readonly PlanChange[] }) {
  if (changes.length === 0) return <p>No operator is split otherwise than now.</p>;
  const rows = changes.slice(0, mostRows);
  return (
    <>
      <table className="tbl planner-changes">
        <TableHead names={["Operator", "Now", "Planned"]} />
        <tbody>
          {rows.map(({ name, count, before, after, roles }) => (
            <tr key={`${name} ${before} ${after} ${roles.join()}`}>
              <th scope="row">
                <code>{name}</code>
                {count > 1 && ` ×${count}`}
              </th>
              <td>{before === "" ? "whole" : before}</td>
              <td>
                {after === "" ? "whole" : after}
                {roles.map((role) => (
                  <small key={role}>{role}</small>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {changes.length > mostRows && <p>And {changes.length - mostRows} more.</p>}
    </>
  );
}
