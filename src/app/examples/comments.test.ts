import { expect, test } from "vitest";
import { exampleText } from "#app/first-example";
import { examples } from "./examples.ts";

/** Columns of the editors on a desk, a tablet and a phone, and how far wrapped lines are set in. */
const editors = [
  { columns: 47, inset: 4 },
  { columns: 98, inset: 0 },
  { columns: 41, inset: 0 },
] as const;

const comments = examples.flatMap((example) =>
  exampleText(example)
    .split("\n")
    .filter((line) => line.startsWith("# ") && !/^# (annotation|plan)/.test(line))
    .map((comment) => ({ name: example.name, comment })),
);

test("no sentence of an example's comments is broken by hand, where windows break it elsewhere", () => {
  const broken = comments.filter(({ comment }) => !comment.endsWith("."));
  expect(broken).toEqual([]);
});

test.each(editors)(
  "no comment leaves a word alone on its last line in %o",
  ({ columns, inset }) => {
    const lonely = comments.filter(({ comment }) => {
      const lines = wrapped(comment, columns, inset);
      return lines.length > 1 && lines.at(-1)?.includes(" ") === false;
    });
    expect(lonely).toEqual([]);
  },
);

/** A line as an editor of so many columns breaks it: behind spaces, which take room too. */
function wrapped(text: string, columns: number, inset: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/(?<= )/)) {
    const last = lines.pop();
    const room = lines.length > 0 ? columns - inset : columns;
    if (last === undefined) lines.push(word);
    else if (last.length + word.length <= room) lines.push(last + word);
    else lines.push(last, word);
  }
  return lines;
}
