import { readdirSync, readFileSync } from "node:fs";
import { examples } from "#app/examples";
import { lessons } from "#app/lessons";
import { encodeLink } from "#app/share";
import { sum } from "#core/arithmetic";
import { type FuzzedRequest, hostileRequests, type Json } from "./hostile-requests.testing.ts";

/** Numbers in [0, 1), determined by the seed (mulberry32 of Tommy Ettinger). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = ReturnType<typeof randomOf>;

/**
 * Creates nearly valid requests: conformance cases, examples under every command that takes a
 * program, their links, lessons, and hostile requests, each changed at a few places. A number
 * always gives the same request. All kinds of input are equally frequent, and most are short: one
 * in thirty is long, exceeds the time limit, or asks for the best plan of an example.
 *
 * @param mostCharacters most characters of a text
 */
export function createFuzzer(mostCharacters: number): (number: number) => FuzzedRequest {
  const usual = [...caseRequests(), ...exampleRequests(), ...lessonRequests()];
  const seeds = [...usual, ...hostileRequests];
  const light = byKind(usual.filter((seed) => sizeOf(seed) <= mostOfLight));
  const heavy = byKind([
    ...usual.filter((seed) => sizeOf(seed) > mostOfLight),
    ...searches(),
    ...hostileRequests,
  ]);
  const texts = seeds.flatMap(({ args }) => textsIn(args)).filter((text) => text.length > 2);
  return (number) => {
    const random = randomOf(number);
    const { command, args } = pick(random, pick(random, random() < 1 / 30 ? heavy : light));
    let changed: Json = args;
    const changes = 1 + Math.floor(random() * 3);
    for (let count = 0; count < changes; count++) {
      changed = mutated(changed, { random, texts, mostCharacters });
    }
    const isMoved = random() < 0.03;
    return { command: isMoved ? pick(random, seeds).command : command, args: changed };
  };
}

/** Most characters of a frequent request; longer ones are rare. */
const mostOfLight = 2_000;

/**
 * Size of a request in characters; JSON counts a third, as it needs three characters where a
 * program needs one.
 */
function sizeOf({ args }: FuzzedRequest): number {
  const lengths = textsIn(args).map((text) => text.length / (/^\s*[[{]/.test(text) ? 3 : 1));
  return sum(lengths);
}

function byKind(seeds: readonly FuzzedRequest[]): readonly (readonly FuzzedRequest[])[] {
  const kinds = [...new Set(seeds.map(kindOf))];
  return kinds.map((kind) => seeds.filter((seed) => kindOf(seed) === kind));
}

/** Kind of a request's input. */
export function kindOf({ command, args }: FuzzedRequest): string {
  if (command === "open") return "links";
  const fields = typeof args === "object" && args !== null ? Object.entries(args) : [];
  const program = fields.find(([key]) => key === "program")?.[1];
  if (typeof program === "string") return /^\s*[[{]/.test(program) ? "graphs" : "texts";
  return fields.some(([key]) => key.startsWith("annotation")) ? "annotations" : "other requests";
}

function caseRequests(): readonly FuzzedRequest[] {
  const files = readdirSync("conformance").filter((file) => file.endsWith(".json"));
  return files.flatMap((file) => {
    const content: { readonly cases?: readonly { readonly request?: FuzzedRequest }[] } =
      JSON.parse(readFileSync(`conformance/${file}`, "utf8"));
    return (content.cases ?? []).flatMap(({ request }) => {
      const isKnown = typeof request?.command === "string" && request.args !== undefined;
      return isKnown ? [request] : [];
    });
  });
}

function searches(): readonly FuzzedRequest[] {
  return examples.map(({ program }) => ({ command: "optimize", args: { program } }));
}

const programCommands = ["plan", "check", "evaluate", "run", "export", "slices", "link"];

function exampleRequests(): readonly FuzzedRequest[] {
  return examples.flatMap(({ name, program, plan }) => {
    const texts = { program, ...(plan !== undefined && { planText: plan }) };
    const link = encodeLink({ text: program, ...(plan !== undefined && { plan }) });
    return [
      ...programCommands.map((command) => ({ command, args: { ...texts, to: "loom" } })),
      { command: "export", args: { ...texts, to: "svg" } },
      { command: "open", args: { link } },
      { command: "gallery", args: { name } },
    ];
  });
}

/** Lessons themselves, and programs checked against their goals. */
function lessonRequests(): readonly FuzzedRequest[] {
  return lessons.slice(0, mostLessons).flatMap((lesson) => [
    { command: "lesson", args: { lesson: JSON.parse(JSON.stringify(lesson)), name: "check" } },
    { command: "lesson", args: { name: lesson.id, program: Object.values(lesson.texts)[0] ?? "" } },
  ]);
}

const mostLessons = 3;

function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

interface Means {
  readonly random: Random;
  readonly texts: readonly string[];
  readonly mostCharacters: number;
}

/** A value with one change somewhere inside; longer texts are changed more often. */
function mutated(value: Json, means: Means): Json {
  const { random } = means;
  if (typeof value === "string") return mutatedText(value, means).slice(0, means.mostCharacters);
  if (typeof value === "number") return mutatedNumber(value, random);
  if (typeof value !== "object" || value === null) return pick(random, oddValues);
  if (random() < 0.02) return pick(random, oddValues);
  if (isList(value)) return mutatedList(value, means);
  const keys = Object.keys(value);
  const at = pick(random, keys.length === 0 ? ["x"] : keys);
  if (random() < 0.04) {
    return Object.fromEntries(Object.entries(value).filter(([key]) => key !== at));
  }
  return { ...value, [at]: mutated(value[at] ?? null, means) };
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function mutatedList(list: readonly Json[], means: Means): Json {
  const { random } = means;
  const at = Math.floor(random() * list.length);
  const kind = random();
  if (kind < 0.1) return list.filter((_, index) => index !== at);
  if (kind < 0.2) return [...list, ...list.slice(at)];
  if (kind < 0.23) return Array.from({ length: 64 }, () => list[at] ?? 1);
  return list.map((item, index) => (index === at ? mutated(item, means) : item));
}

function mutatedNumber(number: number, random: Random): number {
  return pick(random, [0, -1, 1, 2, 3, 7, 64, 4_096, 65_536, 1e9, 2 ** 53, 1e308, number + 1, 0.5]);
}

function mutatedText(text: string, { random, texts }: Means): string {
  const from = Math.floor(random() * (text.length + 1));
  const to = Math.min(text.length, from + Math.floor(random() ** 3 * 60));
  const [head, piece, tail] = [text.slice(0, from), text.slice(from, to), text.slice(to)];
  const times = 2 + Math.floor(random() ** 6 * 3_000);
  switch (Math.floor(random() * 8)) {
    case 0:
      return head + tail;
    case 1:
      return head + piece.repeat(times) + tail;
    case 2:
      return head + pick(random, fragments).repeat(random() < 0.1 ? times : 1) + tail;
    case 3:
      return head + partOf(pick(random, texts), random) + tail;
    case 4:
      return text.replace(/\d+/, () => pick(random, numbers));
    case 5:
      return head + text.slice(from).replace(/\d+/, () => pick(random, numbers));
    case 6:
      return head + text.slice(from).replace(/[A-Za-z_]\w*/, () => pick(random, words));
    default:
      return head + partOf(text, random) + tail;
  }
}

function partOf(text: string, random: Random): string {
  const from = Math.floor(random() * text.length);
  return text.slice(from, from + Math.floor(random() ** 2 * 200));
}

const oddValues: readonly Json[] = [null, true, 0, -1, 1e300, "", "x", "\0", [], [[]], {}, [{}]];

const numbers = [
  "0",
  "1",
  "3",
  "7",
  "-1",
  "64",
  "4096",
  "65536",
  "65537",
  "10**9",
  "10**18",
  "2**70",
  "0.5",
];

const words = [
  ...["x", "dp", "None", "self", "Tensor", "Parameter", "strategy", "place", "range", "list"],
  ...["gelu", "matmul", "torch", "nn", "class", "while", "lambda", "layout", "Mesh", "train"],
];

const fragments = [
  ...["(", ")", "[", "]", "{", "}", ",", ":", "*", "**", "->", "=", "\n", "\r", "\r\n", "\t"],
  ...["'", '"', '"""', "#", "\\", "@", "^", "+", "?", ".", "…", "\u2028", "\0", "\ud800", "😀"],
  ...["*a", " a", "a+ ", "(a b)", "f'{", "if x:\n", "    ", "x = x * x\n", "for i in range(99): "],
  ...["x = gelu(x)\n", "lambda: ", "not ", "-", "1 + ", '{"a":', "while True: "],
];

function pick<T>(random: Random, from: readonly T[]): T {
  const found = from[Math.floor(random() * from.length)];
  if (found === undefined) throw new Error("nothing to pick from");
  return found;
}
