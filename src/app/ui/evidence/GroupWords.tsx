import { aims, type EvidenceRow, fittedOf, type Group, heldOf } from "#app/evidence";
import { errorText } from "./error-text.ts";

/** What a group is held to, what holds, and which constants were fitted to its rows. */
export function GroupWords({
  group,
  rows,
}: {
  readonly group: Group;
  readonly rows: readonly EvidenceRow[];
}) {
  const { median, near, share } = aims[group];
  const held = heldOf(rows.filter((row) => row.group === group));
  const most = share === 0 ? "" : `, ${shareText(share)} within ${percent(near)}`;
  return (
    <div className="evidence-words">
      <h3>{group.charAt(0).toUpperCase() + group.slice(1)}</h3>
      <p>
        Half of the rows are within {errorText(held.median)}, nine in ten within{" "}
        {errorText(held.ninth)}, the farthest {errorText(held.worst)}
        {held.unknown > 0 && `; ${held.unknown} not priced`}. Held to: half within {percent(median)}
        {most}.
      </p>
      <p className="mut">{fittedOf(group)}</p>
    </div>
  );
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function shareText(share: number): string {
  return share === 1 ? "all" : percent(share);
}
