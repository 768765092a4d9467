import { entries } from "#core/ir";
import { memberItems } from "./complete-member.ts";
import type { CompletionItem, CompletionList } from "./completion.ts";
import { boundNames, type Facts, writtenOperators } from "./facts.ts";
import { type CallPlace, callAround, type Place } from "./place.ts";
import { headOf, nativeWords, sampleAnnotation, signatureOf } from "./signatures.ts";
import { nameUseAt, tensorsOf } from "./values.ts";
import { typeText } from "./words.ts";

/** In code: keywords of the call around, variables, words of the language, operators. */
export function completeCode(facts: Facts, { offset, token, open }: Place): CompletionList {
  const isWord = token !== undefined && /^[\p{L}_]/u.test(facts.source.slice(token.from, token.to));
  const from = isWord && token.to >= offset ? token.from : offset;
  const span = { from, to: isWord && token.to >= offset ? token.to : offset };
  if (facts.source[from - 1] === ".") return { span, items: memberItems(facts, from) };
  const around = callAround(open);
  const isArgument = around?.path.length === 1 && around.call.keyword === undefined;
  const keys = isArgument && around !== undefined ? keywordItems(facts, around) : [];
  if (keys.length > 0 && onlyKeywords.has(around?.word ?? "")) return { span, items: keys };
  return { span, items: [...keys, ...nameItems(facts), ...wordItems(facts), ...operatorItems()] };
}

/** Calls that take nothing but keywords, behind a first argument at most. */
const onlyKeywords: ReadonlySet<string> = new Set(["strategy", "shapes", "Mesh"]);

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

/** Identifiers of the operator that a `strategy(…)` is about, those that may be cut. */
function identifierItems(facts: Facts, { call }: CallPlace): readonly CompletionItem[] {
  const from = call.at + 1;
  const use = nameUseAt(facts, from);
  const written = /^\s*["']([^"']*)/.exec(facts.source.slice(from))?.[1];
  const tensors = use === undefined ? [] : tensorsOf(facts, use).map(({ producer }) => producer);
  const operator = writtenOperators(facts).find(({ id, name }) =>
    written === undefined ? tensors.includes(id) : name === written,
  );
  const taken = facts.source.slice(from, lineEnd(facts.source, from));
  const axes = operator?.axes.filter(
    ({ name, reduction }) => reduction !== "^" && !new RegExp(`\\b${name}\\s*=`, "u").test(taken),
  );
  return [
    ...(axes ?? []).map(({ name, size, reduction }) =>
      key(name, `size ${size}${reduction === "+" ? ", summed" : ""}`, "identifier"),
    ),
    key("carry", "axes over which a partial sum passes through"),
  ];
}

function lineEnd(source: string, from: number): number {
  const end = source.indexOf("\n", from);
  return end < 0 ? source.length : end;
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

/** Variables of the text: those that hold tensors first, with their type. */
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
