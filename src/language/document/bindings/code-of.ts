/** Source text with strings and comments blanked, at the same length. */
export function codeOf(source: string): string {
  const words =
    /"""(?:[^"\\]|\\[\s\S]|"(?!""))*"""|'''(?:[^'\\]|\\[\s\S]|'(?!''))*'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#[^\n]*/g;
  return source.replace(words, (found) => " ".repeat(found.length));
}
