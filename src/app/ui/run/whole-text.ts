import type { WholeCost } from "#app/engine";
import { formatBytes, formatRate } from "#app/scene/text";

/** The most bytes that a page can hold of all values together. */
export const mostWholeBytes = 2 ** 32;

const spans = [
  [31_557_600, "years"],
  [86_400, "days"],
  [3600, "hours"],
  [60, "minutes"],
] as const;

/** The costs of running the unshrunk program here, and whether there is room for it. */
export function wholeText({ operations, bytes, seconds }: WholeCost): string {
  const fit = bytes > mostWholeBytes ? "; a page has no room for it" : "";
  const time =
    seconds === undefined
      ? "for how long is not known: no pace could be measured here"
      : `estimated ${span(seconds)} at the pace measured here`;
  return `${formatRate(operations, "")} operations, ${formatBytes(bytes)}, ${time}${fit}`;
}

function span(seconds: number): string {
  if (seconds < 1.5) return "1 second";
  const [length, noun] = spans.find(([each]) => seconds >= 2 * each) ?? [1, "seconds"];
  return `${Math.round(seconds / length).toLocaleString("en-US")} ${noun}`;
}
