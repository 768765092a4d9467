import { formatBytesDelta, formatSecondsDelta } from "#app/scene";
import { type AppState, type Compiled, type Preview, shown } from "#app/state";

/** What a preview changes, in short lines: `comm −4.19 MB`. Empty when nothing is known. */
export function deltaLines(preview: Preview | undefined, now: Compiled | undefined): string[] {
  const figures = preview?.figures;
  if (figures === undefined || now === undefined) return [];
  const bytes = figures.bytes - now.cost.bytes;
  const memory = figures.peakBytes - now.memory.peakBytes;
  const seconds = figures.seconds - now.cost.seconds;
  return [
    `comm ${formatBytesDelta(bytes)}`,
    `memory ${formatBytesDelta(memory)}`,
    ...(bytes === 0 && memory === 0 ? [`time ${formatSecondsDelta(seconds)}`] : []),
  ];
}

/** What the drop under the pointer would do, or why it cannot be done. */
export function dropText(state: AppState): string | undefined {
  const { drag, previews } = state;
  if (drag?.over === undefined) return undefined;
  const { tensor, dim } = drag.over;
  const preview = previews.known.find(
    ({ gesture }) => gesture.tensor === tensor && gesture.dim === dim && gesture.axis === drag.axis,
  );
  const name = shown(state)?.graph.tensors.find(({ id }) => id === tensor)?.dimNames[dim] ?? dim;
  if (preview === undefined) return `Split ${tensor}.${name} over ${drag.axis}`;
  if (!preview.outcome.ok) return preview.outcome.reason;
  const lines = deltaLines(preview, shown(state));
  return lines.length === 0
    ? preview.outcome.label
    : `${preview.outcome.label}: ${lines.join(", ")}`;
}
