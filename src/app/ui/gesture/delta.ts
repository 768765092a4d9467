import type { Preview } from "#app/engine";
import { formatBytesDelta, formatSecondsDelta } from "#app/scene/text";
import { type AppState, shown } from "#app/state";
import type { Compiled } from "#compile";
import { previewOf } from "./same-gesture.ts";

/** The changes that a preview tells, as short lines: `comm −4.19 MB`. Empty while unknown. */
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

/** The effect of the drop under the pointer, or the reason why it is refused. */
export function dropText(state: AppState): string | undefined {
  const { drag, previews } = state;
  if (drag?.order !== undefined) return `Order axes ${drag.order.join(", ")}`;
  const gesture = drag?.gesture;
  if (drag === undefined || gesture === undefined) return undefined;
  const preview = previewOf(previews.known, gesture);
  const tensor = shown(state)?.graph.tensors.find(({ id }) => id === gesture.tensor);
  const dim = `${gesture.tensor}.${tensor?.dimNames[gesture.dim] ?? gesture.dim}`;
  if (preview === undefined) return `${drag.axis} on ${dim}`;
  const { outcome } = preview;
  if (!outcome.ok) {
    const { reason, instead } = outcome;
    return instead === undefined ? reason : `${reason}. Drop it, then Move it here`;
  }
  const lines = deltaLines(preview, shown(state));
  return lines.length === 0 ? outcome.label : `${outcome.label}: ${lines.join(", ")}`;
}
