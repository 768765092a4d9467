import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkSync } from "recheck";
import { parseSync } from "vite";
import { expect, test } from "vitest";

/** Every regular expression that the program's own files write, with the first file that does. */
function expressionsIn(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.(?:test|testing)\.tsx?$/.test(file),
  );
  const found = new Map<string, string>();
  for (const file of files) {
    const source = readFileSync(join(folder, file), "utf8");
    // Most files write none, and a tree of each would take most of the time.
    if (!source.split("\n").some(mayHaveLiteral)) continue;
    for (const literal of literalsIn(parseSync(file, source).program)) {
      if (!found.has(literal)) found.set(literal, file);
    }
  }
  return found;
}

/** Whether two slashes are on a line that is neither a comment nor an import; a literal has both on one. */
function mayHaveLiteral(line: string): boolean {
  return /\/(?![/*]).+\//.test(line) && !/^\s*(?:\/\/|\/?\*|import |\} from )/.test(line);
}

/** The regular expressions in a tree of ESTree's form. */
function literalsIn(node: unknown): readonly string[] {
  if (typeof node !== "object" || node === null) return [];
  if ("regex" in node && "raw" in node && typeof node.raw === "string") return [node.raw];
  return Object.values(node).flatMap(literalsIn);
}

/**
 * Whether a group of an expression repeats, or more than one part. Where one character does alone,
 * matching takes at most linear time from each place where it may begin, which is quadratic.
 */
function repeatsOften(literal: string): boolean {
  const bare = literal.replace(/\\./gs, "x").replace(/\[[^\]]*\]/g, "x");
  return /\)[*+{]/.test(bare) || (bare.match(/[*+{]/g) ?? []).length > 1;
}

/** Whether matching may take time that grows as the cube of a text's length, or faster. */
function isDangerous(literal: string): boolean {
  if (!repeatsOften(literal)) return false;
  const end = literal.lastIndexOf("/");
  const found = checkSync(literal.slice(1, end), literal.slice(end + 1), { timeout: 10_000 });
  if (found.status !== "vulnerable") return false;
  const { complexity } = found;
  return complexity.type === "exponential" || complexity.degree > 2;
}

/**
 * Expressions that were judged before, one a line: a verdict follows from the expression alone. New
 * ones are judged in every run, all of them in the long version, which `-u` lets write the list.
 */
const listFile = "goldens/safe-expressions.txt";
const listed = new Set(process.env.SOAK ? [] : readFileSync(listFile, "utf8").split("\n"));

/** Hundreds are judged at once where none is listed. */
const milliseconds = process.env.SOAK ? 3_600_000 : 120_000;

test(
  "no regular expression takes cubic or exponential time on any text",
  async () => {
    const expressions = [...expressionsIn("src")];
    expect(expressions.length).toBeGreaterThan(300);
    const open = expressions.filter(([literal]) => !listed.has(literal));
    const dangerous = open.filter(([literal]) => isDangerous(literal));
    expect(dangerous.map(([literal, file]) => `${file}: ${literal}`)).toEqual([]);
    if (!process.env.SOAK) return;
    const safe = expressions.map(([literal]) => literal).filter(repeatsOften);
    await expect(`${safe.sort().join("\n")}\n`).toMatchFileSnapshot(`../${listFile}`);
  },
  milliseconds,
);

test.each(["/(?:a|b|ab)*c/", String.raw`/\s*x?\s*y?\s*$/`])(
  "%s is told to be dangerous",
  (literal) => {
    expect(isDangerous(literal)).toBe(true);
  },
);
