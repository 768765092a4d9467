import type { Document } from "#language/document";
import { type Analysis, analyze, type CompileInput } from "./analyze.ts";
import { withWords } from "./compile.ts";
import { createCompileCache } from "./compile-cache.ts";
import type { Compiled } from "./compiled.ts";
import { shareStructureExactly } from "./share-structure.ts";

/**
 * `compileDocument` for one text under edit. It remembers the last document and reuses results
 * derived from an unchanged graph, mesh and requests, as well as known redistributions. Unchanged
 * parts of the answer are the same objects as before.
 */
export function createDocumentCompiler(): (document: Document) => Compiled {
  const cache = createCompileCache();
  let last: { readonly input: CompileInput; readonly analysis: Analysis } | undefined;
  return (document) => {
    const given = compileInputOf(document);
    const input = last === undefined ? given : shareStructureExactly(last.input, given);
    if (last === undefined || input !== last.input) {
      const found = analyze(input, {}, cache);
      const analysis = last === undefined ? found : shareStructureExactly(last.analysis, found);
      last = { input, analysis };
    }
    return withWords(document, last.analysis);
  };
}

function compileInputOf({ graph, mesh, requests, training, isEager }: Document): CompileInput {
  return {
    graph,
    mesh,
    requests,
    ...(isEager && { isEager }),
    ...(training !== undefined && { training }),
  };
}
