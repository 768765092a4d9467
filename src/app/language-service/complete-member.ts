import { library } from "#core/ir";
import { systems } from "#systems";
import { sampleAnnotation } from "#systems/system/explain";
import type { CompletionItem } from "./completion.ts";
import type { Facts } from "./facts.ts";

/** Completions after a dot: the members of a module; empty for other values. */
export function memberItems({ source, document }: Facts, from: number): readonly CompletionItem[] {
  const path = /([\p{L}_][\p{L}\p{N}_.]*)\.$/u.exec(source.slice(0, from))?.[1] ?? "";
  if (path === "mesh") {
    return [{ label: "layout", kind: "word", insert: "layout", detail: "layout(*dims)" }];
  }
  if (document.variables.has(path) || path === "" || path === "self") return [];
  const module = path.split(".").at(-1) ?? path;
  if (module === "nn") return layerItems();
  const own = systems.flatMap(({ explains }) => explains?.members?.(module) ?? []);
  return [...own, ...operatorItems()];
}

function layerItems(): readonly CompletionItem[] {
  const layers = systems.flatMap(({ explains }) => [...(explains?.layers ?? [])]);
  return layers.map(([name, parameters]) => item(name, `${name}(${parameters.join(", ")})`));
}

function operatorItems(): readonly CompletionItem[] {
  return [...library].map(([name, entry]) => item(name, sampleAnnotation(entry)));
}

function item(name: string, detail: string): CompletionItem {
  return { label: name, kind: "operator", insert: name, detail };
}
