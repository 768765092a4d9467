import type { Span } from "#core/diagnostics";
import { entries } from "#core/ir";
import { type CallPlace, callAround, type TextPlace, type Token, typedEnd } from "#language/tokens";
import { sampleAnnotation } from "#systems/system/explain";
import { memberItems } from "./complete-member.ts";
import type { CompletionItem, CompletionList } from "./completion.ts";
import { boundNames, type Facts, writtenOperators } from "./facts.ts";
import { headOf, nativeWords, signatureOf } from "./signatures.ts";
import { strategyTargets } from "./targets.ts";
import { nameUseAt, tensorsOf } from "./values.ts";
import { typeText } from "./words.ts";

/**
 * Completions in code: keywords of the surrounding call, variables, words of the language,
 * operators.
 */
export function completeCode(facts: Facts, { offset, token, open }: TextPlace): CompletionList {
  const isWord = token !== undefined && /^[\p{L}_]/u.test(facts.source.slice(token.from, token.to));
  const from = isWord && token.to >= offset ? token.from : offset;
  const span = { from, to: typedEnd(facts.source, offset) };
  if (facts.source[from - 1] === ".") return { span, items: memberItems(facts, from) };
  const around = callAround(open);
  const isArgument = around?.path.length === 1 && around.call.keyword === undefined;
  const found = isArgument && around !== undefined ? keywordItems(facts, around) : [];
  const keys = freeKeys(facts, around, span, found);
  if (keys.length > 0 && onlyKeywords.has(around?.word ?? "")) return { span, items: keys };
  return { span, items: [...keys, ...nameItems(facts), ...wordItems(facts), ...operatorItems()] };
}

/** Calls that take only keywords after at most one positional argument. */
const onlyKeywords: ReadonlySet<string> = new Set(["strategy", "shapes", "Mesh"]);

/**
 * Keywords that the call does not have yet; before an existing `=` they are inserted without one.
 */
function freeKeys(
  { source, tokens }: Facts,
  around: CallPlace | undefined,
  span: Span,
  keys: readonly CompletionItem[],
): readonly CompletionItem[] {
  if (around === undefined || keys.length === 0) return [];
  const taken = keywordsOf(source, tokens, around.call.at, span);
  const hasSign = /^\s*=(?!=)/.test(source.slice(span.to));
  return keys
    .filter(({ label }) => !taken.has(label))
    .map((item) => (hasSign ? { ...item, insert: item.insert.replace(/=$/, "") } : item));
}

/** Keywords `name=` of the call whose bracket is at `at`, except the keyword at `span`. */
function keywordsOf(
  source: string,
  tokens: readonly Token[],
  at: number,
  span: Span,
): ReadonlySet<string> {
  const found = new Set<string>();
  let depth = 0;
  for (const [index, { from, to }] of tokens.entries()) {
    if (from < at) continue;
    const text = source.slice(from, to);
    if (/^[([{]$/.test(text)) depth += 1;
    if (/^[)\]}]$/.test(text)) depth -= 1;
    if (depth === 0) break;
    const next = tokens[index + 1];
    const isKey = depth === 1 && next !== undefined && source.slice(next.from, next.to) === "=";
    if (isKey && from !== span.from) found.add(`${text}=`);
  }
  return found;
}

function keywordItems(facts: Facts, around: CallPlace): readonly CompletionItem[] {
  if (around.word === "strategy") return around.path[0] === 0 ? [] : identifierItems(facts, around);
  if (around.word === "shapes") return shapesItems(facts);
  const signature = signatureOf(around.call.callee, boundNames(facts));
  return (signature?.parameters ?? [])
    .filter(({ name }) => !name.startsWith("*"))
    .map(({ name, shown, meaning }) =>
      key(name, shown === name ? meaning : `${shown}: ${meaning}`),
    );
}

/** Identifiers that may be sharded, of the operator that a `strategy(…)` sets. */
function identifierItems(facts: Facts, { call }: CallPlace): readonly CompletionItem[] {
  const from = call.at + 1;
  const use = nameUseAt(facts, from);
  const written = /^\s*["']([^"']*)/.exec(facts.source.slice(from))?.[1];
  const tensors = use === undefined ? [] : tensorsOf(facts, use).map(({ producer }) => producer);
  const [operator] =
    written === undefined
      ? writtenOperators(facts).filter(({ id }) => tensors.includes(id))
      : strategyTargets(facts).meant(written).operators;
  const axes = operator?.axes.filter(({ reduction }) => reduction !== "^");
  return [
    ...(axes ?? []).map(({ name, size, reduction }) =>
      key(name, `size ${size}${reduction === "+" ? ", summed" : ""}`, "identifier"),
    ),
    key("carry", "axes over which a partial sum passes through"),
  ];
}

function shapesItems({ compiled }: Facts): readonly CompletionItem[] {
  return compiled.graph.tensors
    .filter(({ shapeStatus, producer }) => shapeStatus === "assumed" && producer === undefined)
    .map((tensor) => key(tensor.name, `assumed ${typeText(tensor)}`));
}

function key(
  name: string,
  detail: string,
  kind: CompletionItem["kind"] = "parameter",
): CompletionItem {
  return { label: `${name}=`, kind, insert: `${name}=`, detail };
}

/** Variables of the text; those that hold tensors come first, with their type. */
function nameItems(facts: Facts): readonly CompletionItem[] {
  const { document, compiled } = facts;
  const typed = new Map(compiled.graph.tensors.map((tensor) => [tensor.name, typeText(tensor)]));
  const names = [...new Set([...document.variables.keys(), ...boundNames(facts)])];
  const known = names.map((name) => ({ name, type: typed.get(name) }));
  const ordered = [
    ...known.filter(({ type }) => type !== undefined),
    ...known.filter(({ type }) => type === undefined),
  ];
  return ordered.map(({ name, type }) => ({
    label: name,
    kind: type === undefined ? "name" : "tensor",
    insert: name,
    detail: type ?? "",
  }));
}

function wordItems(facts: Facts): readonly CompletionItem[] {
  return [...nativeWords.values()]
    .filter(({ name }) => !boundNames(facts).has(name))
    .map((signature) => ({
      label: signature.name,
      kind: "word",
      insert: signature.name,
      detail: headOf(signature),
      meaning: signature.meaning,
    }));
}

function operatorItems(): readonly CompletionItem[] {
  return entries.map((entry) => ({
    label: entry.name,
    kind: "operator",
    insert: entry.name,
    detail: sampleAnnotation(entry),
  }));
}
