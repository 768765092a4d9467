import { examples, exampleText } from "#app/examples";
import { type Fragment, type LinkView, type Refused, readFragment } from "#app/share";
import { joinTexts } from "#language/texts";
import type { Origin } from "./document-slice.ts";
import { readDraft, readVisit } from "./drafts.ts";
import type { Keep } from "./services.ts";

/** What the page begins with: a text, and perhaps a link that was not opened. */
export interface Opening {
  readonly source: string;
  readonly origin: Origin;
  readonly view: LinkView;
  /** The texts that the plan is held against. */
  readonly bases?: readonly string[];
  readonly refusal?: Refused;
}

/** Reads the address' fragment; the reader's own draft stays what it is. */
export function openingOf(address: string, keep: Keep): Opening {
  const hash = address.indexOf("#");
  const text = hash < 0 ? "" : address.slice(hash);
  const fragment = readFragment(text);
  return fragment.kind === "refused"
    ? { ...ownOpening(keep), refusal: fragment }
    : (linkedOpening(fragment, text, keep) ?? ownOpening(keep));
}

/** The reader's draft, or the first example. */
export function ownOpening(keep: Keep): Opening {
  const source = readDraft(keep) ?? examples[0]?.program ?? "";
  return { source, origin: { kind: "draft" }, view: {} };
}

type Readable = Exclude<Fragment, Refused>;

function linkedOpening(fragment: Readable, text: string, keep: Keep): Opening | undefined {
  const shared = sharedText(fragment);
  if (shared === undefined) return undefined;
  const edited = readVisit(keep, text)?.source;
  const origin = {
    kind: "link" as const,
    fragment: text,
    ...(shared.name !== undefined && { name: shared.name }),
  };
  const { view, bases = [] } = shared;
  return { source: edited ?? shared.source, origin, view, bases };
}

function sharedText(
  fragment: Readable,
): { source: string; name?: string; bases?: readonly string[]; view: LinkView } | undefined {
  switch (fragment.kind) {
    case "document": {
      const { text, plan = "", name } = fragment.document;
      return {
        source: joinTexts(text, plan),
        view: fragment.view,
        ...(name !== undefined && { name }),
        bases: fragment.bases.map((base) => joinTexts(base.text, base.plan ?? "")),
      };
    }
    case "source":
      return { source: fragment.text, view: {} };
    case "example": {
      const example = examples.find((candidate) => candidate.name === fragment.name);
      if (example === undefined) return undefined;
      return { source: exampleText(example), name: example.title, view: {} };
    }
    case "none":
      return undefined;
  }
}
