import { createCompileCache } from "#compile";
import { applyEdits, type Diagnostic, type TextEdit } from "#core/diagnostics";
import type { Document } from "#language/document";
import { layoutText, linesEdit, planLinesAt, targetAt } from "#language/document/edit";
import { linesFor, type Manner, unsaidEnds } from "./chosen-lines.ts";
import { ownWordsNotes } from "./own-words-notes.ts";
import { outdatedPlaces, outdatedStrategies } from "./plan-calls.ts";
import { plannedEntries } from "./plan-entries.ts";
import { withPassages } from "./plan-passages.ts";
import { dimLists, isSayable, type PlannedProgram, strategyWords } from "./planned-words.ts";
import { type PropagationCache, whatIsSaid } from "./what-is-said.ts";

/** A text with a plan written into it, or the diagnostic that the text cannot state the plan. */
export type PlanInText =
  | {
      readonly ok: true;
      readonly source: string;
      readonly edits: readonly TextEdit[];
      /** The document of the new text. */
      readonly document: Document;
      /** Notes on parts of the plan that the system of the program does not read. */
      readonly notes: readonly Diagnostic[];
    }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

const shortest: Manner = {
  passages: true,
  entries: true,
  rewrites: true,
  wildcards: true,
  modules: true,
};

const manners: readonly Manner[] = [
  shortest,
  { ...shortest, rewrites: false },
  { ...shortest, passages: false },
  { ...shortest, passages: false, rewrites: false },
  { ...shortest, passages: false, entries: false, rewrites: false },
  { passages: false, entries: false, rewrites: false, wildcards: true, modules: false },
  { passages: false, entries: false, rewrites: false, wildcards: false, modules: false },
];

/**
 * Writes a plan into a program's text as one change. Contradicting calls are changed or removed,
 * strategies that propagation does not find become lines, and everything else stays. The new text
 * is read again and checked: its strategies and layouts at rest equal the plan's. A manner whose
 * text sets more than the plan, such as the layout of a result, is used only if no manner gives
 * exactly the plan.
 */
export function planIntoText(
  given: Document,
  found: PlannedProgram,
  known: PropagationCache = createCompileCache(),
): PlanInText {
  const document = readingOnce(given);
  const planned = withoutUnread(document, found);
  if (!isSayable(document, planned)) return wordless();
  let nearest: Written | undefined;
  for (const manner of manners) {
    const edits = editsFor(document, planned, manner, known);
    const source = applyEdits(document.source, edits);
    if (source === nearest?.source) continue;
    const after = document.reread(source);
    const says = whatIsSaid(document, after, planned, known);
    if (says === "less") continue;
    const written = { source, edits, document: after };
    if (says === "plan") return asPlanned(document, planned, written);
    nearest ??= written;
  }
  return nearest === undefined ? wordless() : asPlanned(document, planned, nearest);
}

type Written = Pick<Extract<PlanInText, { ok: true }>, "source" | "edits" | "document">;

function asPlanned(before: Document, planned: PlannedProgram, written: Written): PlanInText {
  const own = ownWordsNotes(before, written.document, planned);
  return { ok: true, ...written, notes: [...own, ...unsaidEnds(before, planned)] };
}

/**
 * A document that reads each version of its text once, since several manners may give the same
 * text.
 */
function readingOnce(document: Document): Document {
  const known = new Map<string, Document>();
  const reread = (source: string) => {
    const version = known.get(source) ?? document.reread(source);
    known.set(source, version);
    return version;
  };
  return { ...document, reread };
}

/** The plan without tensors that no operator reads: their layouts are no part of a plan. */
function withoutUnread({ graph }: Document, planned: PlannedProgram): PlannedProgram {
  const read = new Set(graph.operators.flatMap(({ inputs }) => inputs.map((each) => each.tensor)));
  return { ...planned, rest: new Map([...planned.rest].filter(([id]) => read.has(id))) };
}

function wordless(): PlanInText {
  const message = "the words of this text do not reach the plan: some part of it is set elsewhere";
  return { ok: false, diagnostic: { code: "planner/no-words", severity: "error", message } };
}

function editsFor(
  document: Document,
  planned: PlannedProgram,
  manner: Manner,
  { planReshard }: PropagationCache,
): readonly TextEdit[] {
  const strategies = outdatedStrategies(document, planned);
  const places = outdatedPlaces(document, planned);
  const removals = [...strategies, ...places].map(({ removal }) => removal);
  const entries = manner.entries ? ownEdits(document, planned, manner) : [];
  const bare = document.reread(applyEdits(document.source, [...entries, ...removals]));
  const lines = linesFor(bare, planned, manner, planReshard);
  const cuts = fitted(strategies, lines.strategies, manner);
  const rests = fitted(places, lines.places, manner);
  const at = planLinesAt(document);
  const texts = [
    ...cuts.left.map(
      ({ target, said }) => `strategy(${targetAt(document, target, at)}${strategyWords(said)})`,
    ),
    ...rests.left.map(
      ({ target, said }) =>
        `place(${targetAt(document, target, at)}, ${layoutText(document, dimLists(said))})`,
    ),
  ];
  const added = texts.length === 0 ? [] : [linesEdit(document, at, texts)];
  return [...entries, ...cuts.edits, ...rests.edits, ...added];
}

function ownEdits(
  document: Document,
  planned: PlannedProgram,
  { passages }: Manner,
): readonly TextEdit[] {
  const entries = plannedEntries(document, planned);
  if (!passages) return entries;
  return withPassages(document, planned, entries);
}

/** Assigns lines to calls that are rewritten into them; the other calls are removed. */
function fitted<Line>(
  calls: readonly {
    readonly removal: TextEdit;
    readonly rewrite: (line: Line) => readonly TextEdit[] | undefined;
  }[],
  lines: readonly Line[],
  { rewrites }: Manner,
): { readonly edits: readonly TextEdit[]; readonly left: readonly Line[] } {
  const left = new Set(lines);
  const edits = calls.flatMap(({ removal, rewrite }) => {
    for (const line of rewrites ? left : []) {
      const own = rewrite(line);
      if (own === undefined) continue;
      left.delete(line);
      return own;
    }
    return [removal];
  });
  return { edits, left: [...left] };
}
