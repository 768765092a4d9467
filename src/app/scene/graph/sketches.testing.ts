import fc from "fast-check";
import type { Sketch, SketchedOperator } from "../program.testing.ts";

/** Arbitrary programs: operators read earlier values, some of them redistributed. */
export const sketches: fc.Arbitrary<Sketch> = fc
  .record({
    inputs: fc.integer({ min: 0, max: 3 }),
    parameters: fc.integer({ min: 0, max: 4 }),
    operators: fc.array(
      fc.record({
        reads: fc.array(fc.tuple(fc.nat(40), fc.nat(2)), { minLength: 1, maxLength: 4 }),
        reducesInside: fc.boolean(),
      }),
      { maxLength: 12 },
    ),
    hasEnd: fc.boolean(),
  })
  .map(({ inputs, parameters, operators, hasEnd }) => {
    const names = (count: number, letter: string) =>
      Array.from({ length: count }, (_, at) => `${letter}${at}`);
    const given = [
      ...names(Math.max(inputs, parameters === 0 ? 1 : 0), "x"),
      ...names(parameters, "w"),
    ];
    const made: SketchedOperator[] = operators.map(({ reads, reducesInside }, at) => {
      const there = [...given, ...names(at, "h")];
      const texts = reads.map(
        ([place, moves]) =>
          `${there[there.length - 1 - (place % there.length)]}${"!".repeat(moves)}`,
      );
      return { name: `h${at}`, reads: texts, reducesInside };
    });
    const last = made.at(-1)?.name;
    return {
      inputs: given.filter((name) => name.startsWith("x")),
      parameters: given.filter((name) => name.startsWith("w")),
      operators: made,
      ends: hasEnd && last !== undefined ? [last] : [],
    };
  });
