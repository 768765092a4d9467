import { lineOf, readLine } from "./answer-line.ts";
import type { Answer, Arguments } from "./commands/answer.ts";
import { type Printed, printedAnswer, type Work } from "./printed.ts";

/** Why work was ended: time limit, memory limit, or the thread ended by itself. */
export type Cut = "too-long" | "too-large" | "ended";

/** Limits of one piece of work. */
export interface WorkLimits {
  readonly cpuSeconds: number;
  readonly bytes: number;
  /**
   * Limits of a search, which may take long even for a short request, and needs much memory for a
   * large graph.
   */
  readonly search?: { readonly cpuSeconds: number; readonly bytes: number };
  /** Limits of a run, which computes the values. */
  readonly run?: { readonly cpuSeconds: number; readonly bytes: number };
}

/** Limits that apply to a piece of work. */
export function limitsOf(work: Work, limits: WorkLimits): WorkLimits {
  const { search, run, ...usual } = limits;
  if (search === undefined && run === undefined) return usual;
  const { command, isSearched } = kindOf(work);
  // An export with `nearest` makes several searches in a row.
  if (command === "run" || (command === "export" && isSearched)) return { ...usual, ...run };
  return command === "optimize" ? { ...usual, ...search } : usual;
}

/** The command of a piece of work, and whether an export may search for a plan that it can write. */
function kindOf(work: Work): { readonly command?: string; readonly isSearched?: boolean } {
  if (work.kind === "command") {
    const [command = "", ...words] = work.argv;
    return { command, isSearched: words.some((word) => word.startsWith("--nearest")) };
  }
  const read = readLine(work.line);
  if (read.kind !== "request") return {};
  return { command: read.command, isSearched: read.args.nearest === true };
}

/** The answer to ended work: one diagnostic that names the command. */
export function cutAnswer(work: Work, why: Cut, limits: WorkLimits): Printed {
  if (work.kind === "command") {
    const [command = ""] = work.argv;
    const answer = answerFor(command, {}, reasonFor(why, limits), why);
    return printedAnswer(answer, {}, work.argv.includes("--json"));
  }
  const read = readLine(work.line);
  const [command, args] = read.kind === "request" ? [read.command, read.args] : ["batch", {}];
  const answer = answerFor(command, args, reasonFor(why, limits), why);
  return { text: `${lineOf(read.named, answer, args)}\n`, ok: false };
}

function answerFor(command: string, args: Arguments, reason: string, why: Cut): Answer {
  const message = `"${command}" ${reason}${longest(args)}`;
  const code: DiagnosticCode = why === "ended" ? "cli/internal-error" : `limits/${why}`;
  return { ok: false, diagnostics: [{ code, severity: "error", message }] };
}

function reasonFor(why: Cut, { cpuSeconds, bytes }: WorkLimits): string {
  switch (why) {
    case "too-long":
      return `takes more than ${cpuSeconds} s of computing time and was stopped`;
    case "too-large":
      return `needs more than ${Math.round(bytes / 2 ** 20)} MB of memory and was stopped`;
    case "ended":
      return "failed by a fault of this program: its thread ended";
  }
}

/** Description of a request's longest text, the most likely cause of a long time. */
function longest(args: Arguments): string {
  const texts = Object.entries(args).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value.length] as const] : [],
  );
  const [first] = texts.sort(([, a], [, b]) => b - a);
  if (first === undefined) return "";
  const [name, length] = first;
  return `: "${name}" has ${length} ${length === 1 ? "character" : "characters"}`;
}
