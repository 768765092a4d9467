import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import type { Mark, Point } from "#app/scene";
import { drawnIn, glyphOf } from "#app/scene/glyph";
import { compile } from "#compile";
import { type DrawnMark, joinedMarks } from "./joined-marks.ts";

/** All marks of all tensors of the examples. */
const drawings = examples.flatMap((example) => {
  const compiled = compile(exampleText(example));
  const { graph, tensors } = compiled;
  return tensors.flatMap(({ tensor: id, layout }) => {
    const tensor = graph.tensors.find((each) => each.id === id);
    if (tensor === undefined) return [];
    return [glyphOf(drawnIn(compiled, tensor, layout), { width: 160, height: 120 }, {}).marks];
  });
});

type Look = Pick<DrawnMark, "role" | "hue" | "tint" | "step" | "isStrip" | "opacity">;
const looks = ({ role, hue, tint, step, isStrip, opacity }: Look) =>
  JSON.stringify({ role, hue, tint, step, isStrip, opacity });

/** The corners of what is joined into one shape. */
function cornersOf(mark: Mark): readonly (readonly number[])[] | undefined {
  if (mark.kind === "path") return mark.points.map(({ x, y }) => [x, y]);
  if (mark.kind !== "rect" || !["tint", "texture", "ruler"].includes(mark.role)) return undefined;
  const [right, bottom] = [mark.x + mark.width, mark.y + mark.height];
  return [
    [mark.x, mark.y],
    [right, mark.y],
    [right, bottom],
    [mark.x, bottom],
  ];
}

test("every area of a drawing is drawn once, in its own look, and no look twice", () => {
  expect(drawings.length).toBeGreaterThan(100);
  for (const marks of drawings) {
    const given = marks.flatMap((mark) => {
      const corners = cornersOf(mark);
      return corners === undefined ? [] : [`${looks(mark)} ${JSON.stringify(corners)}`];
    });
    const joined = joinedMarks(marks).filter((mark) => mark.kind === "areas");
    const drawn = joined.flatMap((mark) =>
      mark.areas.map((area) => `${looks(mark)} ${JSON.stringify(area.map(({ x, y }) => [x, y]))}`),
    );
    expect(drawn.sort()).toEqual(given.sort());
    expect(new Set(joined.map(looks)).size).toBe(joined.length);
  }
});

test("every line is drawn once, in its own look", () => {
  for (const marks of drawings) {
    const words = (mark: Extract<DrawnMark, { kind: "line" | "lines" }>) =>
      `${looks(mark)} ${mark.thickness.toFixed(2)} ${mark.dash}`;
    const given = marks.flatMap((mark) =>
      mark.kind === "line" ? [`${words(mark)} ${JSON.stringify([mark.from, mark.to])}`] : [],
    );
    const joined = joinedMarks(marks).filter((mark) => mark.kind === "lines");
    const drawn = joined.flatMap((mark) =>
      mark.lines.map((line) => `${words(mark)} ${JSON.stringify(line)}`),
    );
    expect(drawn.sort()).toEqual(given.sort());
    expect(new Set(joined.map(words)).size).toBe(joined.length);
  }
});

test("all that is neither area nor line stays as it is, in its order", () => {
  for (const marks of drawings) {
    const others = marks.filter((mark) => mark.kind !== "line" && cornersOf(mark) === undefined);
    const left = joinedMarks(marks).filter(({ kind }) => kind !== "areas" && kind !== "lines");
    expect(left).toEqual(others);
  }
});

test("what is drawn sooner, with its like, is not covered by what stood before it", () => {
  for (const marks of drawings) {
    const first = new Map<string, number>();
    for (const [at, mark] of marks.entries()) {
      const box = mark.kind === "line" ? lineBox(mark) : boxOf(mark);
      if (box === undefined) continue;
      const thick = mark.kind === "line" ? `${mark.thickness.toFixed(2)} ${mark.dash}` : "";
      const key = `${mark.kind === "line"} ${looks(mark)} ${thick}`;
      const from = first.get(key) ?? at;
      first.set(key, from);
      for (const passed of marks.slice(from, at)) {
        const cover = passed.role === "tint" ? boxOf(passed) : undefined;
        if (cover === undefined) continue;
        const across = Math.min(cover.right, box.right) - Math.max(cover.left, box.left);
        const down = Math.min(cover.bottom, box.bottom) - Math.max(cover.top, box.top);
        expect(Math.min(across, down), key).toBeLessThan(0.01);
      }
    }
  }
});

function boxOf(mark: Mark) {
  const corners = cornersOf(mark);
  if (corners === undefined) return undefined;
  const [xs, ys] = [corners.map(([x = 0]) => x), corners.map(([, y = 0]) => y)];
  return {
    ...{ left: Math.min(...xs), right: Math.max(...xs) },
    ...{ top: Math.min(...ys), bottom: Math.max(...ys) },
  };
}

function lineBox({ from, to, thickness }: Extract<Mark, { kind: "line" }>) {
  const isDown = from.x === to.x;
  const [x, y] = isDown ? [thickness / 2, 0] : [0, thickness / 2];
  return {
    ...{ left: Math.min(from.x, to.x) - x, right: Math.max(from.x, to.x) + x },
    ...{ top: Math.min(from.y, to.y) - y, bottom: Math.max(from.y, to.y) + y },
  };
}

test("areas that are joined do not overlap, so that their order says nothing", () => {
  for (const marks of drawings) {
    for (const mark of joinedMarks(marks)) {
      if (mark.kind !== "areas") continue;
      for (const [at, one] of mark.areas.entries()) {
        for (const other of mark.areas.slice(at + 1)) {
          const across = shared(one, other, ({ x }) => x);
          const down = shared(one, other, ({ y }) => y);
          expect(Math.min(across, down)).toBeLessThan(0.01);
        }
      }
    }
  }
});

/** The length of the border that two areas share, along one side. */
function shared(one: readonly Point[], other: readonly Point[], along: (point: Point) => number) {
  const [a, b] = [one.map(along), other.map(along)];
  return Math.min(Math.max(...a), Math.max(...b)) - Math.max(Math.min(...a), Math.min(...b));
}
