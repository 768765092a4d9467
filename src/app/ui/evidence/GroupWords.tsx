import {
  aims,
  type EvidenceRow,
  fittedOf,
  type Group,
  type Held,
  heldOf,
  shareWithin,
} from "#app/evidence";
import { errorText } from "./error-text.ts";

/** Error bound of a group, whether it holds, and the constants that were fitted to its rows. */
export function GroupWords({
  group,
  rows,
}: {
  readonly group: Group;
  readonly rows: readonly EvidenceRow[];
}) {
  const { median, near, share } = aims[group];
  const own = rows.filter((row) => row.group === group);
  const held = heldOf(own);
  const most = share === 0 ? "" : `, ${shareText(share)} within ${percent(near)}`;
  return (
    <div className="evidence-words">
      <h3>{group.charAt(0).toUpperCase() + group.slice(1)}</h3>
      <p>
        {Number.isNaN(held.median)
          ? `The model prices none of these ${held.unknown} rows.`
          : heldText(held, near, shareWithin(own, near))}{" "}
        Held to: half within {percent(median)}
        {most}.
      </p>
      <p className="mut">{fittedOf(group)}</p>
    </div>
  );
}

function heldText({ median, ninth, worst, unknown }: Held, near: number, share: number): string {
  const rest = unknown > 0 ? `; ${unknown} not priced` : "";
  const reach = `${percent(share)} within ${percent(near)}`;
  return `Half of the rows are within ${errorText(median)}, nine in ten within ${errorText(ninth)}, ${reach}, the farthest ${errorText(worst)}${rest}.`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function shareText(share: number): string {
  return share === 1 ? "all" : percent(share);
}
