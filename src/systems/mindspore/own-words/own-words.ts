import type { Span } from "#core/diagnostics";
import type { Operator, OperatorId } from "#core/ir";
import type { OwnManner, OwnPassage, OwnWords, PlanWriting } from "#language/document/bindings";
import type { AxisLists, TracedOperator } from "#language/document/trace";
import { type LayoutName, layoutName } from "./layout-name.ts";
import { layoutsText, tuplesText } from "./strategy-text.ts";
import { type StrategySlot, strategySlot } from "./written-place.ts";

/**
 * Edits that write a plan as `.shard(…)` where the text makes or shards a primitive: as tuples
 * first, else as called layouts of the document's mesh. One place serves every operator that runs
 * its primitive: it gets the most frequent wish, and the other operators are reported.
 */
export function mindsporeWords(document: PlanWriting): OwnWords {
  const shards = new Map<string, Shard>();
  const unsaid = new Map<OperatorId, string>();
  for (const [traced, operator] of document.built.operatorOf) {
    const cuts = document.planned.get(operator.id);
    const isWanted = document.wanted.has(operator.id) && traced.reducesInside;
    if (cuts === undefined || !isWanted) continue;
    const place = strategySlot(document.source, traced.primitive?.written);
    if (typeof place === "string") {
      unsaid.set(operator.id, place);
      continue;
    }
    const key = `${place.edit.from}${place.before}`;
    const shard = shards.get(key) ?? { place, wishes: [] };
    shard.wishes.push({ traced, operator, cuts, text: textOf(cuts) });
    shards.set(key, shard);
  }
  const layout = layoutName(document);
  const passages = [...shards.values()].flatMap((each) => passageOf(each, document, layout) ?? []);
  const reached = new Set(passages.flatMap(({ operators }) => operators));
  for (const { operator } of [...shards.values()].flatMap(({ wishes }) => wishes)) {
    unsaid.set(operator.id, reached.has(operator.id) ? refused : shared);
  }
  return { passages, unsaid };
}

const refused = "no strategy that MindSpore takes splits it so";
const shared = "one .shard(…) speaks of it and of others, most of which are split otherwise";

/** A place of the text that sets strategies, and the wanted cuts of each operator. */
interface Shard {
  readonly place: StrategySlot;
  readonly wishes: Wish[];
}

interface Wish {
  readonly traced: TracedOperator;
  readonly operator: Operator;
  readonly cuts: AxisLists;
  /** The cuts as text; equal wishes have equal texts. */
  readonly text: string;
}

function textOf(cuts: AxisLists): string {
  const cut = Object.entries(cuts).filter(([, axes]) => axes.length > 0);
  return JSON.stringify(cut.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function passageOf(
  { place, wishes }: Shard,
  { mesh, source }: PlanWriting,
  layout: LayoutName,
): OwnPassage | undefined {
  const said = mostOf(wishes);
  if (said === undefined) return undefined;
  const { traced, operator, cuts } = said;
  const manner = (text: string, definition: OwnManner["edits"] = []): OwnManner => ({
    edits: [{ ...place.edit, text: `${place.before}${text}${place.after}` }, ...definition],
  });
  const isThere = ({ edits: [edit] }: OwnManner) => edit !== undefined && stands(source, edit);
  const manners = [
    manner(tuplesText(traced, operator, cuts, mesh)),
    manner(layoutsText(operator, cuts, layout.name), layout.definition),
  ].filter((each) => !isThere(each));
  const meant = wishes.filter(({ text }) => text === said.text);
  return { operators: meant.map((wish) => wish.operator.id), manners };
}

function stands(source: string, { from, to, text }: Span & { readonly text: string }): boolean {
  return source.slice(from, to) === text;
}

/** The most frequent wish; the first of several. */
function mostOf(wishes: readonly Wish[]): Wish | undefined {
  const countOf = ({ text }: Wish) => wishes.filter((other) => other.text === text).length;
  const counts = new Map<string, number>();
  for (const wish of wishes) if (!counts.has(wish.text)) counts.set(wish.text, countOf(wish));
  const most = Math.max(...counts.values());
  return wishes.find(({ text }) => counts.get(text) === most);
}
