import { expect, test } from "vitest";
import { examples, exampleText } from "#app/examples";
import { drawnIn, glyphOf, type Mark, type Point } from "#app/scene";
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

/** How long the stretch is that two areas have in common, seen along one side. */
function shared(one: readonly Point[], other: readonly Point[], along: (point: Point) => number) {
  const [a, b] = [one.map(along), other.map(along)];
  return Math.min(Math.max(...a), Math.max(...b)) - Math.max(Math.min(...a), Math.min(...b));
}
