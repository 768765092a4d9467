import { graphWords } from "#systems/graphs";

/** Report of an internal fault for the developers: sizes and the message, nothing of the plan. */
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

/** Message with quoted names removed, since they are of the plan. */
function withoutNames(message: string): string {
  return message.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '"…"').slice(0, 400);
}
