import { FileCode } from "lucide-react";
import type { EvidenceRow } from "#app/evidence";
import { Icon } from "../atoms/Icon.tsx";
import { useActions, useApp } from "../store-context.tsx";

/** Source of a measured row, and the program that the model prices for it. */
export function EvidenceDetails({ row }: { readonly row: EvidenceRow }) {
  const { openText } = useActions();
  const close = useApp((state) => state.openEvidence);
  const { source, program, settings, part } = row;
  return (
    <div className="evidence-details" data-testid="evidence-details">
      <p>
        <b>Source</b> {source}
        {settings !== undefined && <span className="mut"> ({settings})</span>}
      </p>
      {part !== undefined && (
        <p>Only the optimizer was measured: the model counts its part alone.</p>
      )}
      {program === undefined ? (
        <p>The program of this run was not published, so the model cannot price it.</p>
      ) : (
        <>
          <p>
            <button
              type="button"
              className="btn line"
              onClick={() => {
                close(undefined);
                openText(program);
              }}
            >
              <Icon icon={FileCode} />
              Open this program
            </button>
          </p>
          <pre className="mono">{program}</pre>
        </>
      )}
    </div>
  );
}
