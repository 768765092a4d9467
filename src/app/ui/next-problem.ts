import { type AppState, diagnosticsOf } from "#app/state";

/** Goes to the next problem of the text, or the one before. */
export function nextProblem(state: AppState, step: 1 | -1): void {
  const spans = diagnosticsOf(state)
    .flatMap(({ span }) => (span === undefined ? [] : [span]))
    .sort((a, b) => a.from - b.from);
  if (spans.length === 0) return;
  const { revealed } = state;
  const at = revealed === undefined ? -1 : spans.indexOf(revealed.span);
  const next = at < 0 ? 0 : (at + step + spans.length) % spans.length;
  const span = spans[next];
  if (span !== undefined) state.reveal(span);
}
