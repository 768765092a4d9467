import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  askCpython,
  beyondLimits,
  type CpythonAnswer,
  digestOf,
  plain,
} from "./cpython.testing.ts";
import { evaluate, type Host } from "./index.ts";
import { programs } from "./programs.testing.ts";
import { deepPrograms } from "./programs-statements.testing.ts";

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
  if (fault?.code.startsWith("python/limit") === true) return { output, raised: beyondLimits };
  return { output, raised: fault === undefined ? null : (fault.upstream ?? fault.code) };
}

test.each`
  of               | name
  ${"'ab'"}        | ${"str_ascii_iterator"}
  ${"'ä'"}         | ${"str_iterator"}
  ${"[1]"}         | ${"list_iterator"}
  ${"{1: 2}"}      | ${"dict_keyiterator"}
  ${"{}.values()"} | ${"dict_valueiterator"}
  ${"{}.items()"}  | ${"dict_itemiterator"}
`("an iterator of $of is a $name, as in CPython 3.11", ({ of, name }) => {
  expect(answer(`print(iter(${of}))`).output).toBe(`<${name} object>\n`);
});

test.each`
  number       | raised
  ${"-1"}      | ${"ValueError"}
  ${"2**31-1"} | ${"ValueError"}
  ${"2**31"}   | ${"OverflowError"}
  ${"10**20"}  | ${"OverflowError"}
`("chr($number) raises $raised, as in CPython 3.11", ({ number, raised }) => {
  expect(answer(`chr(${number})`).raised).toBe(raised);
});

test.each`
  program                                                            | raised
  ${"'a' % [1], 'a' % {1: 2}, 'a' % range(3)"}                       | ${null}
  ${"class A:\n  def __getitem__(self, k): return k\n'%(a)s' % A()"} | ${null}
  ${"'a' % {1, 2}"}                                                  | ${"TypeError"}
  ${"'a' % object()"}                                                | ${"TypeError"}
  ${"'a' % (1,)"}                                                    | ${"TypeError"}
  ${"'%(a)s' % [1]"}                                                 | ${"TypeError"}
  ${"'%(a)s' % {'b': 1}"}                                            | ${"KeyError"}
  ${"[].pop(10**20)"}                                                | ${"OverflowError"}
  ${"[].pop()"}                                                      | ${"IndexError"}
`("$program raises $raised, as in CPython 3.11", ({ program, raised }) => {
  expect(answer(`${program}\n`).raised).toBe(raised);
});

/** Programs whose answers differ; those that exceed a limit on either side are skipped. */
function differences(
  cases: readonly string[],
  answers: readonly (CpythonAnswer | undefined)[],
): readonly unknown[] {
  return cases.flatMap((program, index) => {
    const want = answers[index];
    const got = answer(program);
    if (want === undefined) return [{ program, got }];
    const isLimited = got.raised === beyondLimits || want.raised === beyondLimits;
    const isSame = isLimited || JSON.stringify(plain(want)) === JSON.stringify(got);
    return isSame ? [] : [{ program, want, got }];
  });
}

test.each(recorded)("the answer is CPython's: $program", ({ program, output, raised }) => {
  expect(answer(program)).toEqual(plain({ output, raised }));
});

test("generated programs print and raise what they do under CPython", () => {
  const numRuns = process.env.SOAK ? 20_000 : 300;
  const generated = fc.sample(programs, { seed: 1, numRuns });
  const answers = askCpython(generated);
  // Without python3 the recorded programs are used, which come from the same generator.
  const cases = answers === undefined ? recorded.map(({ program }) => program) : generated;
  expect(differences(cases, answers ?? recorded)).toEqual([]);
});

/**
 * File with digests of CPython's answers to the first programs of one seed; empty for programs
 * beyond limits.
 */
const digestFile = "src/language/python/cpython-digests.json";
const seed = 2;

test("programs of classes, closures, generators and patterns answer as recorded of CPython", () => {
  const numRuns = process.env.SOAK || process.env.RECORD ? 2_000 : 160;
  const generated = fc.sample(deepPrograms, { seed, numRuns });
  for (const kind of [
    "class ",
    "nonlocal ",
    "yield from ",
    "match ",
    "with Ctx",
    "lambda ",
    "raise ",
  ]) {
    expect(generated.filter((program) => program.includes(kind)).length, kind).toBeGreaterThan(10);
  }
  if (process.env.RECORD) writeFileSync(digestFile, recordOf(generated));
  const digests: readonly string[] = JSON.parse(readFileSync(digestFile, "utf8"));
  const wrong = generated.filter((program, index) => {
    const got = answer(program);
    return got.raised !== beyondLimits && digests[index] !== "" && digests[index] !== digestOf(got);
  });
  expect(wrong).toEqual([]);
});

test("such programs of any seed answer as CPython does here, where it is", () => {
  const numRuns = process.env.SOAK ? 2_000 : 20;
  const generated = fc.sample(deepPrograms, { seed: seed + 1, numRuns });
  const answers = askCpython(generated);
  if (answers !== undefined) expect(differences(generated, answers)).toEqual([]);
});

/** Digests as JSON with one per line, so that a changed answer changes one line. */
function recordOf(generated: readonly string[]): string {
  const answers = askCpython(generated) ?? [];
  const digests = answers.map((each) => (each.raised === beyondLimits ? "" : digestOf(each)));
  return `[\n${digests.map((digest) => `  ${JSON.stringify(digest)}`).join(",\n")}\n]\n`;
}
