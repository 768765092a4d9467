import { createLibraryParser, createParser, type Parse, type ParseLibrary } from "#language/python";
import { createSpaces, type SpaceOf } from "./build-graph.ts";
import { Signatures } from "./signatures.ts";

/** What readings of a text that is edited share: it makes them quicker, and nothing else. */
export interface Shared {
  readonly parse: Parse;
  readonly parseLibrary: ParseLibrary;
  readonly signatures: Signatures;
  readonly spaceOf: SpaceOf;
}

/** Nothing that is known yet. */
export function createShared(): Shared {
  return {
    parse: createParser(),
    parseLibrary: createLibraryParser(),
    signatures: new Signatures(),
    spaceOf: createSpaces(),
  };
}
