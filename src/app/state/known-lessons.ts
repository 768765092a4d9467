/** The code of lessons, which comes when one is opened. */
type LessonCode = typeof import("./lesson-view.ts");

let known: LessonCode | undefined;

/** Loads the lessons, once; rejects when they cannot be loaded, and may be asked again. */
export async function loadLessons(): Promise<LessonCode> {
  known ??= await import("./lesson-view.ts");
  return known;
}

/** The lessons if they are loaded, without loading them. */
export function lessonsNow(): LessonCode | undefined {
  return known;
}
