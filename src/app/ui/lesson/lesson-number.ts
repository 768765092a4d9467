import { challenges, type Lesson, lessons } from "#app/lessons";

/**
 * The number of a lesson, 1 to 15, or letter of a challenge, A to E; the reader's own lesson has
 * none.
 */
export function lessonNumber(lesson: Lesson): string | undefined {
  const place = lessons.indexOf(lesson);
  if (place >= 0) return String(place + 1);
  const letter = challenges.indexOf(lesson);
  return letter < 0 ? undefined : String.fromCharCode("A".charCodeAt(0) + letter);
}

/** The lesson after another one, or the challenge after another. */
export function lessonAfter(lesson: Lesson): Lesson | undefined {
  const row = [lessons, challenges].find((all) => all.includes(lesson));
  return row?.[row.indexOf(lesson) + 1];
}
