import type { Compiled } from "#compile";
import { compileDocument } from "#compile";
import type { Document } from "#language/document";

/** A text as it was read, with what follows from it, and the way to other versions of the text. */
export interface Version {
  readonly document: Document;
  readonly compiled: Compiled;
  /** The same of another text, read as this one was; of the same text the same. */
  readonly reread: (source: string) => Version;
}

/** The version that a document is; every other one that is asked for is worked out once. */
export function versionOf(document: Document): Version {
  const known = new Map<string, Version>();
  const reread = (source: string) => {
    const version = known.get(source) ?? versionOf(document.reread(source));
    known.set(source, version);
    return version;
  };
  return { document, compiled: compileDocument(document), reread };
}
