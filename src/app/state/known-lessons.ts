/** The lessons code, loaded when a lesson is opened. */
type LessonCode = typeof import("./lesson-view.ts");

let known: LessonCode | undefined;

/** Loads the lessons once. Rejects if loading fails; a later call tries again. */
export async function loadLessons(): Promise<LessonCode> {
  known ??= await import("./lesson-view.ts");
  return known;
}

/** The lessons code if it is loaded, else `undefined`; does not load it. */
export function lessonsNow(): LessonCode | undefined {
  return known;
}
