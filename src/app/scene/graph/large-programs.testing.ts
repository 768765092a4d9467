import type { Compiled } from "#compile";
import { type Sketch, sketched } from "../program.testing.ts";

/** Number of operators of the large programs. */
export const count = 10_000;

/** Pseudo-random numbers, so that no part of a program repeats another. */
export function scattered(at: number, below: number): number {
  return ((Math.imul(at + 1, 2_654_435_761) >>> 9) ^ (at >>> 3)) % below;
}

/** Names of the values that each operator of a program reads, by shape. */
export const shapes: Readonly<Record<string, (at: number) => readonly string[]>> = {
  "a chain": (at) => [at === 0 ? "x" : `h${at - 1}${scattered(at, 3) === 0 ? "!" : ""}`, `w${at}`],
  "a wide graph": (at) => (at < count / 2 ? ["x", `w${at}`] : [`h${at - count / 2}`, `h${at - 1}`]),
};

/** A synthetic program of `length` operators that read the given values. */
export function largeProgram(readsOf: (at: number) => readonly string[], length = count): Compiled {
  const operators = Array.from({ length }, (_, at) => ({ name: `h${at}`, reads: readsOf(at) }));
  const parameters = operators.flatMap(({ reads }) => reads.filter((read) => read.startsWith("w")));
  const sketch: Sketch = { inputs: ["x"], parameters, operators };
  return sketched(sketch);
}
