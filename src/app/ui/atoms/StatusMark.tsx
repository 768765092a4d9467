import type { Status } from "#core/ir";

/** Provenance of a value: a mark and its word, never the mark alone. */
export function StatusMark({ status }: { readonly status: Status | "planned" | "stale" }) {
  return (
    <span className={`status ${status}`}>
      <i aria-hidden="true" />
      {status}
    </span>
  );
}
