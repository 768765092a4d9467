import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { askCpython, type CpythonAnswer } from "./cpython.testing.ts";
import { evaluate, type Host } from "./index.ts";
import { programs } from "./programs.testing.ts";

interface Recorded extends CpythonAnswer {
  readonly program: string;
}

/** Programs with the answers of CPython 3.11. */
const recorded: readonly Recorded[] = JSON.parse(
  readFileSync("src/language/python/cpython-answers.json", "utf8"),
);
const host: Host = { globals: new Map() };

/** The evaluator's own answer, in the same form. */
function answer(program: string): CpythonAnswer {
  const { output, diagnostics } = evaluate(program, host, { recover: false });
  const fault = diagnostics.find(({ severity }) => severity === "error");
  return { output, raised: fault === undefined ? null : (fault.upstream ?? fault.code) };
}

/** Addresses differ from run to run. */
function plain({ output, raised }: CpythonAnswer): CpythonAnswer {
  return { output: output.replace(/ at 0x[0-9a-f]+/g, ""), raised };
}

test.each(recorded)("the answer is CPython's: $program", ({ program, output, raised }) => {
  expect(answer(program)).toEqual(plain({ output, raised }));
});

test("generated programs print and raise what they do under CPython", () => {
  const numRuns = process.env.SOAK ? 20_000 : 300;
  const generated = fc.sample(programs, { seed: 1, numRuns });
  const answers = askCpython(generated);
  // Without python3 the recorded programs, which come from the same generator, must do.
  const cases = answers === undefined ? recorded.map(({ program }) => program) : generated;
  const wanted = answers ?? recorded;
  const wrong = cases.flatMap((program, index) => {
    const want = wanted[index];
    const got = answer(program);
    if (want === undefined) return [{ program, got }];
    const isSame = JSON.stringify(plain(want)) === JSON.stringify(got);
    return isSame ? [] : [{ program, want, got }];
  });
  expect(wrong).toEqual([]);
});
