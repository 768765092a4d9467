import { type Checked, type Diagnostic, failed } from "#core/diagnostics";

/** A file that is not read, with the reason. */
export function refused(file: string, why: string): Checked<never> {
  const message = `"${oneLine(file)}" is not read: ${why}`;
  return failed({ code: "published/refused", severity: "error", message });
}

/** Notes the settings of a file that the program does not model, in the file's own words. */
export function notModelled(words: readonly string[]): readonly Diagnostic[] {
  if (words.length === 0) return [];
  const message = `not modelled: ${words.map(oneLine).join(", ")}`;
  return [{ code: "published/not-modelled", severity: "warning", message }];
}

/** Operators without a counterpart here, with how often each stands in the file. */
export function unknownOperators(unknown: ReadonlyMap<string, number>): readonly Diagnostic[] {
  if (unknown.size === 0) return [];
  const counts = [...unknown].sort(([a], [b]) => (a < b ? -1 : 1));
  const words = counts.map(([name, count]) => `${name} (${count})`).join(", ");
  const message = `operators that nothing here stands for, which are not cut: ${words}`;
  return [{ code: "published/unknown-operator", severity: "warning", message }];
}

/** Characters of a file's own words in a comment or a message. */
const longestWords = 120;

/** Words of a file where one line has room for them: no line ends, nothing that hides a text. */
export function oneLine(words: string): string {
  const plain = words.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return plain.length <= longestWords ? plain : `${plain.slice(0, longestWords - 1)}…`;
}
