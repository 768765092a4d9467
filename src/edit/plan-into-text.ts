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

/** A text with a plan written into it, or why it cannot express the plan. */
export type PlanInText =
  | {
      readonly ok: true;
      readonly source: string;
      readonly edits: readonly TextEdit[];
      /** The document of the new text. */
      readonly document: Document;
      /** Notes on parts of the plan that the program's system does not read. */
      readonly notes: readonly Diagnostic[];
    }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/**
 * A manner of writing a plan; the next one is tried if the resulting text does not have the plan.
 */
interface Manner {
  /** Whether operators without a statement are written in a system's own words. */
  readonly passages: boolean;
  /** Whether a system's calls are changed: `.shard(…)`, `graph.partition(…)`. */
  readonly entries: boolean;
  /** Whether contradicting calls are changed in place. */
  readonly rewrites: boolean;
  readonly wildcards: boolean;
  /** Whether layers are named by their paths. */
  readonly modules: boolean;
}

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
 * strategies that propagation does not find become lines, and all else stays. The new text is read
 * again: its strategies and layouts at rest must be exactly those of the plan. A manner whose text
 * sets more than the plan, such as a layout of a result, is used only if all others do so too.
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

/** The plan without tensors that no operator reads; their layouts are not part of a plan. */
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

/** Lines of a plan for a text without any plan statements. */
function linesFor(
  bare: Document,
  planned: PlannedProgram,
  manner: Manner,
  planReshard: PlanReshard,
) {
  const { wildcards, modules: usesModules } = manner;
  const { graph, mesh, requests } = bare;
  const { strategies, rest } = planned;
  const inferred = unplacedLayouts(bare, strategies);
  const isLaid = ({ id }: Tensor) => {
    const wanted = rest.get(id);
    const layout = requests.placements.get(id)?.layout ?? inferred.get(id);
    return wanted === undefined || layout === undefined || layoutsAgree(layout, wanted);
  };
  const ends = chosenEnds(bare, planned);
  const placements = new Map(requests.placements);
  for (const [id, layout] of rest) {
    const isSaid = !layoutsAgree(inferred.get(id), layout) || placements.has(id);
    if (isSaid) placements.set(id, { layout, status: "set" });
  }
  const unsaid = unsaidStrategies(
    graph,
    mesh.mesh,
    { ...requests, placements },
    strategies,
    planReshard,
  );
  const namesOf = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);
  const targetOf = usesModules ? moduleTargets(bare) : ({ name }: Operator) => name;
  const wanted = graph.operators.flatMap((operator) => {
    const strategy = strategies.get(operator.id);
    return strategy === undefined ? [] : [[targetOf(operator), strategy] as const];
  });
  const placed = graph.tensors.filter((each) => ends.has(each.id) || !isLaid(each));
  return {
    strategies: planLines(
      {
        needed: graph.operators.filter(({ id }) => unsaid.has(id)).map(targetOf),
        wanted: new Map(wanted),
        names: graph.operators.map(targetOf),
        textOf: strategyWords,
      },
      wildcards,
    ),
    places: planLines(
      {
        needed: namesOf(placed),
        wanted: named(graph.tensors, new Map([...rest, ...ends])),
        names: namesOf(graph.tensors),
        textOf: (layout) => JSON.stringify(dimLists(layout)),
      },
      wildcards,
    ),
  };
}

/** Targets of operators: their variables, else their paths in the text. */
function moduleTargets(document: Document): (operator: Operator) => string {
  const { targetOf } = operatorTargets(document.graph.operators);
  const at = planLinesAt(document);
  return (operator) => {
    const { name } = operator;
    return targetAt(document, name, at) === name ? name : targetOf(operator);
  };
}

/**
 * Final layouts of partial results, if they differ from the plain sum, which the text has to place.
 * Those without cost are not written. Neither is that of a loss: if placed, its gradient would have
 * that layout too.
 */
function chosenEnds(document: Document, planned: PlannedProgram): ReadonlyMap<TensorId, Layout> {
  return document.training === undefined ? otherEnds(document, planned) : new Map();
}

/** Final layouts of results that differ from the plain sum of the made value. */
function otherEnds(
  { graph, mesh, requests }: Document,
  { strategies, ends }: PlannedProgram,
): ReadonlyMap<TensorId, Layout> {
  const makers = new Map(
    graph.operators.flatMap((operator) =>
      operator.outputs.map((operand) => [operand.tensor, { operator, operand }] as const),
    ),
  );
  return new Map(
    [...ends].filter(([id, end]) => {
      const maker = makers.get(id);
      const strategy = maker && strategies.get(maker.operator.id);
      if (maker === undefined || strategy === undefined) return false;
      if (requests.placements.has(id) || maker.operator.reducesInside) return false;
      const plan = { strategy, mesh: mesh.mesh, status: "set" } as const;
      const made = producedLayout(maker.operator, maker.operand, plan);
      return made.partials.length > 0 && !layoutsAgree({ ...made, partials: [] }, end);
    }),
  );
}

/** Note on results of a training step whose planned final layout the text cannot state. */
function unsaidEnds(document: Document, planned: PlannedProgram): readonly Diagnostic[] {
  if (document.training === undefined) return [];
  const ends = otherEnds(document, planned);
  const names = document.graph.tensors.filter(({ id }) => ends.has(id)).map(({ name }) => name);
  if (names.length === 0) return [];
  const list = names.map((name) => `"${name}"`).join(", ");
  return [
    {
      code: "planner/unsaid-end",
      severity: "info",
      message: `a training step has no words for how ${list} ends in this plan: the text ends it in its sum`,
    },
  ];
}
