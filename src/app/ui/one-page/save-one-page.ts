import type { OpenLesson } from "#app/state";
import { saveHtml } from "../export/save-picture.ts";
import { lessonPart } from "./lesson-part.ts";
import { onePage, type PageContent } from "./one-page.ts";

/**
 * Saves the plan as one HTML page, with the open lesson; returns whether it fits the size limit.
 */
export function saveOnePage(
  content: Omit<PageContent, "lesson">,
  opened: OpenLesson | undefined,
): boolean {
  const isWhole =
    opened !== undefined && opened.texts.size === Object.keys(opened.lesson.texts).length;
  const page = onePage({
    ...content,
    ...(isWhole && { lesson: lessonPart(opened.lesson, opened.texts, content.theme) }),
  });
  if (page === undefined) return false;
  saveHtml(page, fileName(content.title));
  return true;
}

function fileName(title: string): string {
  return (
    title
      .replace(/[^\w]+/gu, "-")
      .replace(/^-|-$/gu, "")
      .slice(0, 60)
      .toLowerCase() || "plan"
  );
}
