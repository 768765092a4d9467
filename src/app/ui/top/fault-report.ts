import { graphWords } from "#systems/graphs";

/** What happened, for whoever mends it: sizes and the message, with nothing of the plan in it. */
export function faultReport(message: string, source: string, browser: string): string {
  const kind = /^\s*\{/.test(source) ? graphWords.title : "program";
  return [
    "Shardboard could not work out a text.",
    `Reason: ${withoutNames(message)}`,
    `Text: a ${kind} of ${source.length} characters in ${source.split("\n").length} lines`,
    `Browser: ${browser}`,
    "",
  ].join("\n");
}

/** A message quotes names of the plan. */
function withoutNames(message: string): string {
  return message.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '"…"').slice(0, 400);
}
