import type { Compiled } from "#compile";
import { compileDocument } from "#compile";
import type { Document } from "#language/document";

/** A read text with its compiled results, and the way to other versions of the text. */
export interface Version {
  readonly document: Document;
  readonly compiled: Compiled;
  /** The version of another text, read as this one was; the same version for the same text. */
  readonly reread: (source: string) => Version;
}

/** The version of a document; versions of other texts are made once each. */
export function versionOf(document: Document): Version {
  const known = new Map<string, Version>();
  const reread = (source: string) => {
    const version = known.get(source) ?? versionOf(document.reread(source));
    known.set(source, version);
    return version;
  };
  return { document, compiled: compileDocument(document), reread };
}
