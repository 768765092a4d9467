import type { SurveyRow } from "#app/engine";
import { formatBytes } from "#app/scene/text";
import type { SurveyStatus } from "#app/state/planning";
import { meshText } from "./survey-points.ts";

/** Meshes on which the text has no plan, with the reasons. */
export function Unplanned({ status: { rows } }: { readonly status: SurveyStatus }) {
  const all = rows.flatMap((row) => {
    const why = reasonOf(row);
    return why === undefined ? [] : [{ mesh: meshText(row), why }];
  });
  if (all.length === 0) return null;
  return (
    <div className="planner-unplanned">
      <h3>Not to be applied</h3>
      <ul>
        {all.map(({ mesh, why }) => (
          <li key={mesh}>
            <code>{mesh}</code>: {why}
          </li>
        ))}
      </ul>
    </div>
  );
}

function reasonOf({ answer }: SurveyRow): string | undefined {
  if (answer.kind === "planned") return undefined;
  if (answer.kind === "refused" || answer.leastBytes === undefined) return answer.message;
  return `the leanest plan takes ${formatBytes(answer.leastBytes)}, more than the limit`;
}
