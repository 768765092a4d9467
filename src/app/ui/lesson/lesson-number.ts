import { challenges, type Lesson, lessons } from "#app/lessons";

/** The number of a lesson: 1 to 15, of a challenge A to E; one's own has none. */
export function lessonNumber(lesson: Lesson): string | undefined {
  const place = lessons.indexOf(lesson);
  if (place >= 0) return String(place + 1);
  const letter = challenges.indexOf(lesson);
  return letter < 0 ? undefined : String.fromCharCode("A".charCodeAt(0) + letter);
}

/** The lesson behind another one, or the challenge behind another. */
export function lessonAfter(lesson: Lesson): Lesson | undefined {
  const row = [lessons, challenges].find((all) => all.includes(lesson));
  return row?.[row.indexOf(lesson) + 1];
}
