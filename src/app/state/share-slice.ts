import type { StateCreator } from "zustand/vanilla";
import type { LengthTier, LinkFault, Refused } from "#app/share";
import { splitTexts } from "#language/texts";
import { type LateLinks, type Links, type OpenFailure, withLinks } from "./address/links.ts";
import type { CompareSlice } from "./compare-slice.ts";
import type { DocumentSlice } from "./document-slice.ts";
import type { PresentSlice } from "./present-slice.ts";
import { type LookedAt, viewOf } from "./view-of.ts";
import type { ViewSlice } from "./view-slice.ts";

/** The state of the share popover. */
export type ShareStatus =
  | { readonly kind: "closed" }
  | {
      readonly kind: "open";
      readonly address: string;
      readonly tier: LengthTier;
      /** Characters of the text that the link omits, such as `U+202E`. */
      readonly leftOut: readonly string[];
    }
  | { readonly kind: "refused"; readonly refused: Refused };

export interface ShareSlice {
  readonly share: ShareStatus;
  /** A link that was not opened; its page covers the plan. */
  readonly refusal: OpenFailure | undefined;
  /**
   * Makes the link, optionally with a fault to inject; `base` is the page's address without its
   * fragment.
   */
  readonly openShare: (base: string, fault?: LinkFault) => void;
  readonly closeShare: () => void;
  readonly refuse: (refusal: OpenFailure | undefined) => void;
}

type Fields = ShareSlice &
  Pick<DocumentSlice, "document" | "shownText"> &
  LookedAt &
  Pick<ViewSlice, "say"> &
  Pick<CompareSlice, "baselines"> &
  Pick<PresentSlice, "stations">;

/** The link of the plan on screen, and refused links. */
export const shareSlice =
  (late: LateLinks, refusal: OpenFailure | undefined): StateCreator<Fields, [], [], ShareSlice> =>
  (set, get) => ({
    share: { kind: "closed" },
    refusal,
    openShare: (base, fault) =>
      withLinks(
        late,
        (links) => set({ share: shareOf(get(), links, base, fault) }),
        (text) => get().say({ kind: "refused", text }),
      ),
    closeShare: () => set({ share: { kind: "closed" } }),
    refuse: (next) => set({ refusal: next }),
  });

/**
 * The most complete link that can be opened again: with everything, without the view, or the plan
 * only.
 */
export function shareOf(
  state: Fields,
  { checkShareable, encodeLink, leftOutOf, lengthTier }: Links,
  base: string,
  fault: LinkFault | undefined,
): ShareStatus {
  const { isNamed, name } = state.shownText;
  const content = { ...sharedTexts(state.document), ...(isNamed && { name }) };
  const bases = state.baselines.map(({ compiled }) => sharedTexts({ source: compiled.source }));
  const broken = fault === undefined ? {} : { fault };
  const fragments = [
    encodeLink(content, { ...viewOf(state), ...broken }, bases, state.stations),
    encodeLink(content, broken, bases),
    encodeLink(content, broken),
  ];
  const refused = fragments.map((fragment) => checkShareable(content, fragment));
  const fragment = fragments.find((_, at) => refused[at] === undefined);
  const reason = refused.at(-1);
  if (reason !== undefined) return { kind: "refused", refused: reason };
  const address = `${base}${fragment}`;
  const tier = lengthTier(address.length);
  return { kind: "open", address, tier, leftOut: leftOutOf(content) };
}

/** A graph in JSON and its plan are separate fields, as any reader of links expects. */
function sharedTexts({ source }: Pick<DocumentSlice["document"], "source">) {
  const texts = splitTexts(source);
  if (texts === undefined) return { text: source };
  return { text: texts.json, ...(texts.plan !== "" && { plan: texts.plan }) };
}
