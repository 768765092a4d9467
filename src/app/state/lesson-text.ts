/** Most characters that are checked: more than any lesson has, few enough to parse at once. */
const mostLooked = 1_000_000;

/** Whether a text is meant as a lesson: a JSON object with `steps` and `texts`. */
export function isLessonText(text: string): boolean {
  if (text.length > mostLooked || !/^[\s\ufeff]*\{/u.test(text)) return false;
  if (!text.includes('"steps"') || !text.includes('"texts"')) return false;
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/u, ""));
    if (typeof value !== "object" || value === null) return false;
    const { steps, texts } = value as Readonly<Record<string, unknown>>;
    return Array.isArray(steps) && typeof texts === "object" && texts !== null;
  } catch {
    return false;
  }
}
