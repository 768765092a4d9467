import type { Compiled } from "#compile";
import { compileDocument } from "#compile";
import type { Document } from "#language/document";

/** A text that was read and compiled, with a way to other versions of it. */
export interface Version {
  readonly document: Document;
  readonly compiled: Compiled;
  /** The version of another text, read with the same options; equal texts give the same version. */
  readonly reread: (source: string) => Version;
}

/** The version of a document; versions of other texts are cached. */
export function versionOf(document: Document): Version {
  const known = new Map<string, Version>();
  const reread = (source: string) => {
    const version = known.get(source) ?? versionOf(document.reread(source));
    known.set(source, version);
    return version;
  };
  return { document, compiled: compileDocument(document), reread };
}
