import { graphWords } from "#systems/graphs";

/** A report for developers: sizes and the message, without the plan. */
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

/** Quotes in a message are names of the plan, so they are removed. */
function withoutNames(message: string): string {
  return message.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '"…"').slice(0, 400);
}
