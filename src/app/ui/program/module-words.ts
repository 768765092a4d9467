import type { OutlineItem } from "#app/scene/board";
import { formatBytes, formatSeconds, formatShare } from "#app/scene/text";

/** Time at the end of a line; empty if it is zero or unknown. */
export function secondsText(seconds: number): string {
  return seconds > 0 ? formatSeconds(seconds) : "";
}

/** Line of the module tree as a sentence for assistive technology. */
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
