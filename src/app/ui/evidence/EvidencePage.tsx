import { X } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { type EvidenceRow, evidenceRows } from "#app/evidence";
import type { ShownEvidence } from "#app/state";
import { IconButton } from "../atoms/IconButton.tsx";
import { useApp } from "../store-context.tsx";
import { useModal } from "../use-modal.ts";
import { EvidenceGroups } from "./EvidenceGroups.tsx";
import { EvidenceScatter } from "./EvidenceScatter.tsx";
import { EvidenceTable } from "./EvidenceTable.tsx";
import { GroupWords } from "./GroupWords.tsx";

/** Every measured figure beside the model's, by group: how far off it is, and each row's source. */
export function EvidencePage({ shown }: { readonly shown: ShownEvidence }) {
  const open = useApp((state) => state.openEvidence);
  const page = useEvidencePage();
  const all = useMemo(() => evidenceRows(), []);
  const { group, words } = shown;
  const rows = useMemo(() => matching(all, shown), [all, shown]);
  const [lit, light] = useState<EvidenceRow>();
  const choose = (next: Partial<ShownEvidence>) => {
    light(undefined);
    open({ ...shown, ...next });
  };
  return (
    <dialog
      className="evidence"
      data-testid="evidence"
      tabIndex={-1}
      aria-labelledby="evidence-title"
      ref={page}
      onClose={() => open(undefined)}
    >
      <header className="gallery-head">
        <h2 id="evidence-title">Measured and modelled</h2>
        <div className="gallery-search">
          <input
            type="search"
            className="field"
            aria-label="Search these measurements"
            placeholder="Search"
            value={words}
            onChange={(event) => choose({ words: event.currentTarget.value })}
          />
          <span className="mut" role="status">
            {rows.length === 1 ? "1 row" : `${rows.length} rows`}
          </span>
        </div>
        <IconButton
          icon={X}
          size={18}
          name="Close the measurements"
          onClick={() => open(undefined)}
        />
      </header>
      <div className="evidence-body">
        <EvidenceGroups rows={all} value={group} onChange={(next) => choose({ group: next })} />
        <section className="evidence-group" aria-label={group}>
          <GroupWords group={group} rows={all} />
          {rows.length === 0 ? (
            <p className="mut">No row of this group has these words.</p>
          ) : (
            <div className="evidence-both">
              <EvidenceScatter key={group} rows={rows} lit={lit} onLight={light} />
              <EvidenceTable key={`${group} rows`} rows={rows} lit={lit} onLight={light} />
            </div>
          )}
        </section>
      </div>
    </dialog>
  );
}

/** The page covers everything; following a link closes it. */
function useEvidencePage() {
  const open = useApp((state) => state.openEvidence);
  const page = useModal((dialog) => dialog.focus());
  useEffect(() => {
    const close = () => open(undefined);
    addEventListener("hashchange", close);
    return () => removeEventListener("hashchange", close);
  }, [open]);
  return page;
}

/** The rows of a group whose name or source contains every word of the query. */
function matching(
  rows: readonly EvidenceRow[],
  { group, words }: ShownEvidence,
): readonly EvidenceRow[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return rows.filter((row) => {
    const text = `${row.name} ${row.source}`.toLowerCase();
    return row.group === group && wanted.every((word) => text.includes(word));
  });
}
