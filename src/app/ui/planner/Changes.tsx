import type { PlanChange } from "#app/state";

/** So many rows are shown. */
const mostRows = 12;

/** The operators that a plan cuts otherwise than the text does. */
export function Changes({ changes }: { readonly changes: readonly PlanChange[] }) {
  if (changes.length === 0) return <p>No operator is split otherwise than now.</p>;
  const rows = changes.slice(0, mostRows);
  return (
    <>
      <table className="tbl planner-changes">
        <thead>
          <tr>
            <th scope="col">Operator</th>
            <th scope="col">Now</th>
            <th scope="col">Planned</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, count, before, after }) => (
            <tr key={`${name} ${before} ${after}`}>
              <th scope="row">
                <code>{name}</code>
                {count > 1 && ` ×${count}`}
              </th>
              <td>{before === "" ? "whole" : before}</td>
              <td>{after === "" ? "whole" : after}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {changes.length > mostRows && <p>And {changes.length - mostRows} more.</p>}
    </>
  );
}
