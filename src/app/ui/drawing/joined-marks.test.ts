import { expect, test } from "vitest";
import { examples, exampleText } from "#app/examples";
import { drawnIn, glyphOf, type Mark, type Point } from "#app/scene";
import { compile } from "#compile";
import { joinedMarks } from "./joined-marks.ts";

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

const looks = ({ role, hue, tint, opacity }: Pick<Mark, "role" | "hue" | "tint" | "opacity">) =>
  JSON.stringify({ role, hue, tint, opacity });

test("every area of a drawing is drawn once, in its own look, and no look twice", () => {
  expect(drawings.length).toBeGreaterThan(100);
  for (const marks of drawings) {
    const given = marks.flatMap((mark) =>
      mark.kind === "path" ? [`${looks(mark)} ${JSON.stringify(mark.points)}`] : [],
    );
    const joined = joinedMarks(marks).filter((mark) => mark.kind === "areas");
    const drawn = joined.flatMap((mark) =>
      mark.areas.map((area) => `${looks(mark)} ${JSON.stringify(area)}`),
    );
    expect(drawn.sort()).toEqual(given.sort());
    expect(new Set(joined.map(looks)).size).toBe(joined.length);
  }
});

test("all that is no area stays as it is, in its order", () => {
  for (const marks of drawings) {
    const others = marks.filter((mark) => mark.kind !== "path");
    expect(joinedMarks(marks).filter((mark) => mark.kind !== "areas")).toEqual(others);
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
