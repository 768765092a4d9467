import type { OutlineItem } from "#app/scene/board";
import { formatBytes, formatSeconds, formatShare } from "#app/scene/text";

/** Seconds at the end of a line; empty where there are none, or they are unknown. */
export function secondsText(seconds: number): string {
  return seconds > 0 ? formatSeconds(seconds) : "";
}

/** A line as one sentence, for screen readers. */
export function lineSaid(line: OutlineItem): string {
  const { name } = line;
  switch (line.kind) {
    case "module": {
      const times = line.runs.length > 1 ? [`${line.runs.length} equal`] : [];
      return joined(name, ...times, line.note, ...timesOf(line));
    }
    case "operator":
      return joined(name, "operator", ...timesOf(line));
    case "send": {
      const steps = line.badge.steps.map(
        ({ collective, axes }) => `${collective} over ${axes.map(({ text }) => text).join(", ")}`,
      );
      const count = line.others.length > 0 ? [`${line.others.length + 1} of them`] : [];
      const shares = line.exposed === undefined ? [] : [`${formatShare(line.exposed)} exposed`];
      const sent = [formatBytes(line.bytes), ...count];
      return joined(steps.join(", then "), name, ...sent, ...timesOf(line), ...shares);
    }
    default:
      return joined(name, line.kind === "weight" ? "parameter" : "input");
  }
}

function timesOf({ seconds: { forward, backward } }: OutlineItem): readonly string[] {
  return [
    ...(forward > 0 ? [`${formatSeconds(forward)} forward`] : []),
    ...(backward > 0 ? [`${formatSeconds(backward)} backward`] : []),
  ];
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}
