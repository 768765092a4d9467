import { readFileSync } from "node:fs";
import { deflateSync } from "fflate";
import { examples } from "#app/examples";
import { decodeLink, encodeLink } from "#app/share";
import { answerTo } from "#cli";
import { compile } from "#compile";
import { evaluate } from "#language/python";
import { tokensOf } from "#language/tokens";
import { crc32 } from "../src/app/share/crc32.ts";
import { createFuzzer } from "../src/cli/fuzz.testing.ts";
import { type FuzzedRequest, hostileRequests } from "../src/cli/hostile-requests.testing.ts";
import { hostile } from "../src/language/python/hostile.testing.ts";
import { type Measure, often } from "./measure.ts";
import { chainProgram } from "./programs.ts";

/** Texts of the largest size that an editor accepts, well formed or not. */
const longTexts: Readonly<Record<string, string>> = {
  code: "def f(a, b):\n    return a + b * 2  # sum\n".repeat(6_000),
  garbage: ":=;,.()[]{}".repeat(23_000),
  "an open string": `"""${"word ".repeat(50_000)}`,
  brackets: "(".repeat(256_000),
};

/** Limits on the worst case of a text or link. */
export const hostileMeasures: readonly Measure[] = [
  { name: "link: the slowest of 200 damaged ones", aimSeconds: 0.1, ...slowestOf(damagedLinks()) },
  { name: "link: a bomb of 48 MB", aimSeconds: 0.1, runs: often(openBomb()) },
  { name: "python: the slowest hostile text", aimSeconds: 2, ...slowestOf(evaluations()) },
  {
    name: "compile: the slowest of 200 damaged texts",
    aimSeconds: 0.5,
    ...slowestOf(damagedTexts()),
  },
  { name: "requests: the slowest hostile one", aimSeconds: 2, ...slowestOf(hostileAnswers()) },
  { name: "requests: the slowest of 300 fuzzed", aimSeconds: 2, ...slowestOf(fuzzedAnswers()) },
  { name: "compile: an axis of 16 on dims of 8", aimSeconds: 2, runs: often(compileUneven()) },
  ...Object.entries(longTexts).map(
    ([what, text]): Measure => ({
      name: `tokens: 256 kB of ${what}`,
      aimSeconds: 1,
      runs: often(() => tokensOf(text)),
    }),
  ),
];

function slowestOf(runs: Measure["runs"]): Pick<Measure, "runs" | "counts"> {
  return { runs, counts: "slowest" };
}

/** Texts of the tests and conformance cases, with and without recovery. */
function evaluations(): Measure["runs"] {
  const { cases }: { cases: readonly { request: { args: { program?: string } } }[] } = JSON.parse(
    readFileSync("conformance/python.json", "utf8"),
  );
  const texts = [
    ...hostile.map(([, text]) => text),
    ...cases.flatMap(({ request }) => request.args.program ?? []),
  ];
  const host = { globals: new Map() };
  return texts.flatMap((text) =>
    [false, true].map((recover) => () => void evaluate(text, host, { recover })),
  );
}

function hostileAnswers(): Measure["runs"] {
  return hostileRequests.map(answering);
}

function fuzzedAnswers(): Measure["runs"] {
  const fuzzed = createFuzzer(20_000);
  return Array.from({ length: 300 }, (_, number) => answering(fuzzed(number)));
}

function answering({ command, args }: FuzzedRequest): () => void {
  const fields = typeof args === "object" && args !== null && !Array.isArray(args) ? args : {};
  return () => void answerTo(command, { ...fields });
}

/** Texts with a piece cut out, at positions spread over the whole text. */
function damaged(text: string): readonly string[] {
  return Array.from({ length: 200 }, (_, at) => {
    const from = (at * 7_919) % text.length;
    return text.slice(0, from) + text.slice(from + 1 + (at % 7));
  });
}

function damagedLinks(): Measure["runs"] {
  const link = encodeLink({ text: chainProgram(100, 2, 2) });
  return damaged(link).map((changed) => () => void decodeLink(changed));
}

function damagedTexts(): Measure["runs"] {
  return damaged(chainProgram(30, 2, 2)).map((text) => () => void compile(text));
}

/** The gallery's stack of layers, with more devices along its batch than rows. */
function compileUneven(): () => void {
  const { program = "" } = examples.find(({ name }) => name === "transformer-stack") ?? {};
  const text = program.replace(/\bdp=\d+/, "dp=16");
  if (text === program) throw new Error("the example has no axis dp");
  return () => void compile(text);
}

/** A link of a few kilobytes that inflates to 48 MB. */
function openBomb(): () => void {
  const deflated = deflateSync(new Uint8Array(48 * 1024 * 1024), { level: 9 });
  const body = Buffer.from(deflated).toString("base64url");
  const link = `#p=1.0.${body.length.toString(36)}.${crc32(body)}.${body}`;
  return () => {
    if (decodeLink(link).kind !== "refused") throw new Error("the bomb was opened");
  };
}
