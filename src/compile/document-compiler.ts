import type { Document } from "#language/document";
import { createAlike } from "./alike.ts";
import { type Consequences, consequencesOf, withWords } from "./compile.ts";
import type { Compiled } from "./compiled.ts";

/**
 * `compileDocument` for one text that is being edited: it remembers the last document, and what
 * follows from a graph, mesh and requests that say the same is not worked out again but is the
 * very same objects.
 */
export function createDocumentCompiler(): (document: Document) => Compiled {
  let last: { readonly document: Document; readonly consequences: Consequences } | undefined;
  return (document) => {
    if (last === undefined || !askTheSame(last.document, document)) {
      last = { document, consequences: consequencesOf(document) };
    }
    return withWords(document, last.consequences);
  };
}

/** Whether two documents have the same consequences: places in the text are part of them. */
function askTheSame(before: Document, after: Document): boolean {
  const areAlike = createAlike();
  return (
    areAlike(before.mesh, after.mesh) &&
    areAlike(before.training, after.training) &&
    areAlike(before.graph, after.graph) &&
    areAlike(before.requests, after.requests)
  );
}
