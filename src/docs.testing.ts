import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** A request of a page of `docs/`, and what its answer must have. */
export interface PageExample {
  readonly page: string;
  /** Of the request, counted from 1. */
  readonly line: number;
  readonly request: Readonly<Record<string, unknown>>;
  readonly answer: unknown;
}

interface Fence {
  readonly info: string;
  readonly text: string;
  readonly line: number;
}

/** Blocks between three backquotes, in their order. */
function fencesOf(text: string): readonly Fence[] {
  const fences: Fence[] = [];
  let open: { info: string; line: number; lines: string[] } | undefined;
  for (const [at, line] of text.split("\n").entries()) {
    if (line.startsWith("```")) {
      if (open === undefined) open = { info: line.slice(3).trim(), line: at + 1, lines: [] };
      else {
        fences.push({ info: open.info, text: `${open.lines.join("\n")}\n`, line: open.line });
        open = undefined;
      }
    } else open?.lines.push(line);
  }
  return fences;
}

/**
 * The examples of a page: a block `json request`, with the block `python program` before it as its
 * program unless it names one, and the block `json answer` behind it.
 *
 * @throws where a request has no answer, an answer no request, or a block is no JSON
 */
export function examplesOf(page: string, text: string): readonly PageExample[] {
  const examples: PageExample[] = [];
  let program: string | undefined;
  let asked: { request: Record<string, unknown>; line: number } | undefined;
  for (const { info, text: body, line } of fencesOf(text)) {
    const place = `${page}:${line}`;
    if (asked !== undefined && info !== "json answer") throw new Error(`${place}: no answer`);
    if (info === "python program") program = body;
    else if (info === "json request") {
      const request: Record<string, unknown> = JSON.parse(body);
      const isOwn = "program" in request || program === undefined;
      asked = { request: isOwn ? request : { program, ...request }, line };
    } else if (info === "json answer") {
      if (asked === undefined) throw new Error(`${place}: no request`);
      examples.push({ page, line: asked.line, request: asked.request, answer: JSON.parse(body) });
      asked = undefined;
    }
  }
  if (asked !== undefined) throw new Error(`${page}:${asked.line}: no answer`);
  return examples;
}

/**
 * Where an answer differs from what a page says of it: of an object the fields that are named, all
 * of anything else. Numbers agree to nine digits.
 */
export function differences(said: unknown, found: unknown, path = "answer"): readonly string[] {
  if (Array.isArray(said) && Array.isArray(found)) {
    if (said.length !== found.length) return [`${path}: ${found.length} items, not ${said.length}`];
    return said.flatMap((each, at) => differences(each, found[at], `${path}[${at}]`));
  }
  if (isRecord(said) && isRecord(found)) {
    return Object.keys(said).flatMap((key) => differences(said[key], found[key], `${path}.${key}`));
  }
  if (typeof said === "number" && typeof found === "number") {
    const isSame = Math.abs(said - found) <= 1e-9 * Math.max(Math.abs(said), Math.abs(found));
    return isSame ? [] : [`${path}: ${found}, not ${said}`];
  }
  return said === found ? [] : [`${path}: ${JSON.stringify(found)}, not ${JSON.stringify(said)}`];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The pages of a folder, by their names without `.md`. */
export function pagesOf(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
  return new Map(
    names.map((name) => [name.slice(0, -3), readFileSync(join(folder, name), "utf8")]),
  );
}

/** The pages of the repository that are read on their own, by their paths. */
export function pagePaths(): readonly string[] {
  const below = (folder: string) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`);
  return [
    "README.md",
    "CONTRIBUTING.md",
    ...["docs", "docs/decisions", "docs/spec"].flatMap(below),
  ];
}

/** The files to which the links of a page lead, from the root; addresses and anchors are none. */
export function linksOf(path: string, text: string): readonly string[] {
  const targets = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, target = ""]) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => normalize(join(dirname(path), target)));
}

/** The files and folders of the sources that a page names, `src/core/mesh`; not those with a part to fill in. */
export function pathsNamed(text: string): readonly string[] {
  const named = text.matchAll(
    /(?<![\w/.])((?:src|docs|e2e|bench|catalogue|conformance)\/[\w./-]+)/g,
  );
  return [...named]
    .map(([, path = ""]) => path.replace(/[./]+$/, ""))
    .filter((path) => !/[A-Z]{3}/.test(path));
}

/** The numbers of a page's headings, such as `6.3`; `0` is the page itself. */
export function sectionsOf(text: string): ReadonlySet<string> {
  const headings = text.matchAll(/^#+ (\d+(?:\.\d+)*)\.? /gm);
  return new Set(["0", ...[...headings].map(([, number = ""]) => number)]);
}

/** A place of a text that sends its reader to a section of a page. */
export interface Citation {
  readonly page: string;
  /** `0` where the page as a whole is meant. */
  readonly section: string;
}

/**
 * The citations of a text, such as "planner.md §6.3", "loom.md §4.1, §5" and "program.md", also
 * where a line of a comment ends between page and section. Files that are named by a path, and
 * those in quotes, are no citations.
 */
export function citationsOf(text: string): readonly Citation[] {
  const flat = text.replace(/\n\s*(?:\*|\/\/|#) /g, " ");
  const found = flat.matchAll(
    /(?<![\w/.`"'-])([a-z][a-z-]*)\.md(?![\w"'`])((?:,? (?:and )?§§?\d+(?:\.\d+)*)*)/g,
  );
  return [...found].flatMap(([, page = "", sections = ""]) => {
    const numbers = [...sections.matchAll(/§(\d+(?:\.\d+)*)/g)].map(([, number = ""]) => number);
    return (numbers.length === 0 ? ["0"] : numbers).map((section) => ({ page, section }));
  });
}

/** All files of source text below a folder, by their paths. */
export function sourcesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(tsx?|css|py)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name));
}
