import { expect, test } from "vitest";
import { linesForNote, placeNote } from "./note-place.ts";

/** An editor 400 px wide with lines of 20 px, each of a given number of letters of 8 px. */
function editorOf(lines: readonly number[]) {
  const lengthOf = (line: number) => {
    const length = lines[line - 1];
    if (length === undefined) throw new Error("Illegal value for lineNumber");
    return length;
  };
  const top = (line: number) => 20 * (line - 1);
  return {
    editor: {
      getLayoutInfo: () => ({ contentLeft: 0, contentWidth: 400, verticalScrollbarWidth: 0 }),
      getScrolledVisiblePosition: ({ lineNumber }: { readonly lineNumber: number }) => ({
        top: top(lineNumber),
        left: 8 * lengthOf(lineNumber),
        height: 20,
      }),
      getTopForLineNumber: top,
      getScrollTop: () => 0,
    },
    model: {
      getLineCount: () => lines.length,
      getLineMaxColumn: (line: number) => lengthOf(line) + 1,
    },
  };
}

/** The place of a note of 100 px for some lines; undefined where it is hidden. */
function placed(text: readonly number[], lines: readonly number[]): string | undefined {
  const { editor, model } = editorOf(text);
  const style = { visibility: "", top: "", left: "" };
  const node = { style, offsetWidth: 100 };
  placeNote(editor, model, node, lines);
  return style.visibility === "visible" ? style.top : undefined;
}

test("a note stands behind the first of its lines with room, or on none", () => {
  expect(placed([10, 10, 10], [2, 3])).toBe("20px");
  expect(placed([10, 40, 10], [2, 3])).toBe("40px");
  expect(placed([10, 40, 40], [2, 3])).toBeUndefined();
  expect(linesForNote(editorOf([1, 1]).model, [{ startLineNumber: 2, endLineNumber: 2 }])).toEqual([
    2,
  ]);
});

test("a line that a shorter text has no more is passed over", () => {
  expect(placed([10, 10], [3, 4])).toBeUndefined();
  expect(placed([10, 10], [3, 2])).toBe("20px");
});
