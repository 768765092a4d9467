import { type Checked, type Diagnostic, failed } from "#core/diagnostics";

/** Refuses a file, with the reason. */
export function refused(file: string, why: string): Checked<never> {
  const message = `"${oneLine(file)}" is not read: ${why}`;
  return failed({ code: "published/refused", severity: "error", message });
}

/** Warning about settings of a file that the program does not model, in the file's own words. */
export function notModelled(words: readonly string[]): readonly Diagnostic[] {
  if (words.length === 0) return [];
  const message = `not modelled: ${words.map(oneLine).join(", ")}`;
  return [{ code: "published/not-modelled", severity: "warning", message }];
}

/** Warning about unsupported operators, with the number of uses in the file. */
export function unknownOperators(unknown: ReadonlyMap<string, number>): readonly Diagnostic[] {
  if (unknown.size === 0) return [];
  const counts = [...unknown].sort(([a], [b]) => (a < b ? -1 : 1));
  const words = counts.map(([name, count]) => `${name} (${count})`).join(", ");
  const message = `operators that nothing here stands for, which are not cut: ${words}`;
  return [{ code: "published/unknown-operator", severity: "warning", message }];
}

/** Most characters quoted from a file in a comment or message. */
const longestWords = 120;

/** Words of a file fit for one line: without line breaks and invisible characters. */
export function oneLine(words: string): string {
  const plain = words.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return plain.length <= longestWords ? plain : `${plain.slice(0, longestWords - 1)}…`;
}
