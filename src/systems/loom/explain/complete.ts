import type { CompletionItem, CompletionList } from "#systems/system/explain";
import { defaultDtypes } from "../dtypes.ts";
import { kindAround, type LoomFacts, rangeWords } from "./facts.ts";
import { nodeTitle, type OutlinedNode } from "./outline.ts";
import { type LoomPlace, loomPlace, typedSpan } from "./place.ts";
import { fieldsAt, type LoomKind, nodeKinds, tagKinds } from "./words.ts";

/** Completions at an offset of the JSON. */
export function completeLoom(facts: LoomFacts, offset: number): CompletionList {
  const place = loomPlace(facts.texts.json, offset);
  const isWord = place.token === undefined || /^["A-Za-z]/.test(wordAt(facts, place));
  const items = !isWord ? [] : place.isName ? namesAt(facts, place) : valuesAt(facts, place);
  return { span: typedSpan(place), items };
}

function wordAt({ texts }: LoomFacts, { token }: LoomPlace): string {
  return token === undefined ? "" : texts.json.slice(token.from, token.to);
}

function namesAt(facts: LoomFacts, place: LoomPlace): readonly CompletionItem[] {
  const { way, names, token } = place;
  const own = token === undefined ? undefined : wordAt(facts, place);
  const isFree = (name: string) => !names.includes(name) || JSON.stringify(name) === own;
  const colon = hasColon(facts, place) ? "" : ": ";
  const isTags = way.length === 3 && way[2] === "tags";
  const items = isTags
    ? tagKinds.map((kind) => kindItem(kind, colon))
    : fieldsAt(way, kindAround(place)).map(({ name, meaning }) =>
        item(name, "parameter", `${JSON.stringify(name)}${colon}`, meaning),
      );
  return items.filter(({ label, insert }) => {
    const name = isTags ? insert.slice(1, insert.lastIndexOf('"')) : label;
    return isFree(name);
  });
}

function hasColon({ texts }: LoomFacts, { token, offset }: LoomPlace): boolean {
  return /^\s*:/.test(texts.json.slice(token?.to ?? offset, (token?.to ?? offset) + 40));
}

function valuesAt(facts: LoomFacts, place: LoomPlace): readonly CompletionItem[] {
  const { way } = place;
  const last = way.at(-1);
  if (way.length === 3 && last === "type") return nodeKinds.map((kind) => kindItem(kind, ""));
  if (last === "dtype" && way.at(-2) === "body") return dtypes(facts);
  if (last === "kernel" && way.at(-2) === "body") return kernels(facts);
  if (last === "tensorId") return ids(facts, "Tensor");
  if (last === "operationId") return ids(facts, "Operation");
  if (place.token !== undefined) return [];
  return ranges(facts, place);
}

function dtypes({ dtypes: allowed, nodes }: LoomFacts): readonly CompletionItem[] {
  const used = new Set(nodes.flatMap(({ dtype }) => dtype ?? []));
  return (allowed ?? defaultDtypes).map((name) =>
    item(name, "dtype", JSON.stringify(name), used.has(name) ? "in use here" : ""),
  );
}

function kernels({ nodes }: LoomFacts): readonly CompletionItem[] {
  const known = new Set(nodes.flatMap(({ kernel }) => kernel ?? []));
  return [...known].map((name) => item(name, "operator", JSON.stringify(name), "in use here"));
}

function ids({ nodes }: LoomFacts, kind: string): readonly CompletionItem[] {
  return nodes
    .filter((node) => node.kind === kind)
    .map((node) => {
      const shown = nodeTitle(node);
      const detail = detailOf(node);
      const insert = JSON.stringify(node.id);
      const filter = `"${shown} ${node.id}`;
      return { label: shown, kind: "tensor", insert, detail, meaning: node.id, filter };
    });
}

function detailOf({ dtype, range, kernel }: OutlinedNode): string {
  if (dtype === undefined) return kernel ?? "";
  return range === undefined ? dtype : `${dtype} ${rangeWords(range)}`;
}

/** Completions inside a range: its start or end, and the whole tensor of the selection. */
function ranges({ byId }: LoomFacts, place: LoomPlace): readonly CompletionItem[] {
  const { way, texts } = place;
  const at = way.lastIndexOf("range");
  const id = at < 0 ? undefined : texts[at]?.get("tensorId");
  const tensor = id === undefined ? undefined : byId.get(id.toLowerCase());
  if (tensor?.range === undefined) return [];
  const start = `[ ${tensor.range.map((range) => range.start).join(", ")} ]`;
  const end = `[ ${tensor.range.map((range) => range.stop).join(", ")} ]`;
  const whole = `as ${nodeTitle(tensor)} has it`;
  if (way.at(-1) === "range") {
    return [item(rangeWords(tensor.range), "count", `{ "start": ${start}, "end": ${end} }`, whole)];
  }
  if (way.at(-1) === "start") return [item(start, "count", start, whole)];
  return way.at(-1) === "end" ? [item(end, "count", end, whole)] : [];
}

function kindItem({ name, uri, meaning }: LoomKind, colon: string): CompletionItem {
  const insert = `${JSON.stringify(uri)}${colon}`;
  return { ...item(name, "word", insert, `loom:${name}`), meaning, filter: `"${name} ${uri}` };
}

function item(
  label: string,
  kind: CompletionItem["kind"],
  insert: string,
  detail: string,
): CompletionItem {
  return { label, kind, insert, detail };
}
