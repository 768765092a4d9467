import {
  type Lesson,
  type LessonStep,
  type LessonTexts,
  plainSentence,
  type World,
  worldOf,
} from "#app/lessons";
import { planPicture } from "#app/scene/svg";
import { escaped, type PageContent, type Slide } from "./one-page.ts";

/**
 * A lesson to read: its texts and questions, with the answers folded away, and pictures of its
 * plans. Figures are those of the time of saving; without the board nothing is graded.
 */
export function lessonPart(
  lesson: Lesson,
  texts: LessonTexts,
  theme: "light" | "dark",
): NonNullable<PageContent["lesson"]> {
  const steps = lesson.steps.map((step, at) => {
    const world = worldOf(lesson, at, texts);
    return `<section><h2>Step ${at + 1}</h2>${world === undefined ? "" : stepHtml(lesson, step, world)}</section>`;
  });
  const slides: readonly Slide[] = [...texts].map(([name, compiled]) => ({
    part: "Lesson",
    title: name,
    svg: planPicture(compiled, { theme }),
  }));
  return { html: `<h2>${escaped(lesson.title)}</h2>\n${steps.join("\n")}`, slides };
}

function stepHtml(
  { texts }: Lesson,
  { say, how, ask, act, reveal }: LessonStep,
  world: World,
): string {
  const words = (sentence: string) => escaped(plainSentence(sentence, world));
  const options =
    ask?.kind === "choice"
      ? `<ol>${ask.options.map(({ text }) => `<li>${words(text)}</li>`).join("")}</ol>`
      : ask?.kind === "order"
        ? `<ul>${ask.items.map(({ text }) => `<li>${words(text)}</li>`).join("")}</ul>`
        : "";
  const right =
    ask?.kind === "choice"
      ? ask.options.filter(({ isRight }) => isRight).map(({ text }) => words(text))
      : [];
  return [
    `<p>${words(say)}</p>`,
    how === undefined ? "" : `<p>${words(how.wide)}</p>`,
    ask === undefined ? "" : `<p>${words(ask.question)}</p>${options}`,
    act === undefined ? "" : `<p>${words(act.task)}</p>`,
    "<details><summary>What happens</summary>",
    right.length === 0 ? "" : `<p>Right: ${right.join("; ")}</p>`,
    `<p>${words(reveal)}</p>`,
    act === undefined ? "" : `<pre>${escaped(texts[act.solution] ?? "")}</pre>`,
    "</details>",
  ].join("");
}
