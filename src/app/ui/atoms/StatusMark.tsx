import type { Status } from "#core/ir";

/** Where a value came from: always the mark with its word. */
export function StatusMark({ status }: { readonly status: Status | "planned" | "stale" }) {
  return (
    <span className={`status ${status}`}>
      <i aria-hidden="true" />
      {status}
    </span>
  );
}
