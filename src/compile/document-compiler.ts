import type { Document } from "#language/document";
import {
  type Asked,
  type Consequences,
  consequencesOf,
  createKnown,
  withWords,
} from "./compile.ts";
import type { Compiled } from "./compiled.ts";
import { reusedExactly } from "./reused.ts";

/**
 * `compileDocument` for one text that is being edited: it remembers the last document, and what
 * follows from a graph, mesh and requests that say the same is not worked out again, nor are
 * redistributions that were met before. Whatever says the same as in the last answer is the very
 * same object.
 */
export function createDocumentCompiler(): (document: Document) => Compiled {
  const known = createKnown();
  let last: { readonly asked: Asked; readonly consequences: Consequences } | undefined;
  return (document) => {
    const given = askedOf(document);
    const asked = last === undefined ? given : reusedExactly(last.asked, given);
    if (last === undefined || asked !== last.asked) {
      const found = consequencesOf(asked, {}, known);
      const consequences = last === undefined ? found : reusedExactly(last.consequences, found);
      last = { asked, consequences };
    }
    return withWords(document, last.consequences);
  };
}

function askedOf({ graph, mesh, requests, training }: Document): Asked {
  return { graph, mesh, requests, ...(training !== undefined && { training }) };
}
