import { type EvidenceRow, type Group, groups, heldOf } from "#app/evidence";
import { TableHead } from "../atoms/TableHead.tsx";
import { errorText } from "./error-text.ts";

interface Props {
  readonly rows: readonly EvidenceRow[];
  readonly value: Group;
  readonly onChange: (group: Group) => void;
}

/** Groups of measurements, each with the model's error. */
export function EvidenceGroups({ rows, value, onChange }: Props) {
  return (
    <nav className="evidence-groups" aria-label="Groups of measurements">
      <table className="tbl">
        <TableHead names={["measured", "rows", "half within", "9 in 10"]} figuresFrom={1} />
        <tbody>
          {groups.map((group) => {
            const own = rows.filter((row) => row.group === group);
            const { median, ninth } = heldOf(own);
            return (
              <tr key={group} className={group === value ? "on" : undefined}>
                <td>
                  <button
                    type="button"
                    className="part"
                    aria-pressed={group === value}
                    onClick={() => onChange(group)}
                  >
                    {group}
                  </button>
                </td>
                <td className="n">{own.length}</td>
                <td className="n">{errorText(median)}</td>
                <td className="n">{errorText(ninth)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </nav>
  );
}
