/** A text's code alone: what its strings and comments say is blank. */
export function codeOf(source: string): string {
  const words =
    /"""(?:[^"\\]|\\[\s\S]|"(?!""))*"""|'''(?:[^'\\]|\\[\s\S]|'(?!''))*'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#[^\n]*/g;
  return source.replace(words, (found) => " ".repeat(found.length));
}
