import type { Document } from "#language/document";
import { createAlike } from "./alike.ts";
import { type Consequences, consequencesOf, withWords } from "./compile.ts";
import type { Compiled } from "./compiled.ts";
import { reusedExactly } from "./reused.ts";

/**
 * `compileDocument` for one text that is being edited: it remembers the last document, and what
 * follows from a graph, mesh and requests that say the same is not worked out again. Whatever says
 * the same as in the last answer is the very same object.
 */
export function createDocumentCompiler(): (document: Document) => Compiled {
  let last: { readonly document: Document; readonly consequences: Consequences } | undefined;
  return (document) => {
    if (last === undefined || !askTheSame(last.document, document)) {
      const consequences = consequencesOf(document);
      const known =
        last === undefined ? consequences : reusedExactly(last.consequences, consequences);
      last = { document, consequences: known };
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
