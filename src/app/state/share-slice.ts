import type { StateCreator } from "zustand/vanilla";
import {
  checkShareable,
  encodeLink,
  type LengthTier,
  type LinkView,
  lengthTier,
  type Refused,
} from "#app/share";
import type { CompareSlice } from "./compare-slice.ts";
import type { DocumentSlice } from "./document-slice.ts";
import type { ViewSlice } from "./view-slice.ts";

/** The link in the share popover. */
export type ShareStatus =
  | { readonly kind: "closed" }
  | { readonly kind: "open"; readonly address: string; readonly tier: LengthTier }
  | { readonly kind: "refused"; readonly refused: Refused };

export interface ShareSlice {
  readonly share: ShareStatus;
  /** A link that was not opened; its page stands before the plan. */
  readonly refusal: Refused | undefined;
  /** Makes the link; `base` is the address of the page without its fragment. */
  readonly openShare: (base: string) => void;
  readonly closeShare: () => void;
  readonly refuse: (refusal: Refused | undefined) => void;
}

type Fields = ShareSlice &
  Pick<DocumentSlice, "document"> &
  Pick<ViewSlice, "selection" | "pinnedDevice" | "sheetTab"> &
  Pick<CompareSlice, "baseline">;

/** The link of the plan on screen, and links that were refused. */
export const shareSlice =
  (refusal: Refused | undefined): StateCreator<Fields, [], [], ShareSlice> =>
  (set, get) => ({
    share: { kind: "closed" },
    refusal,
    openShare: (base) => set({ share: shareOf(get(), base) }),
    closeShare: () => set({ share: { kind: "closed" } }),
    refuse: (next) => set({ refusal: next }),
  });

function shareOf(state: Fields, base: string): ShareStatus {
  const baseline = state.baseline?.compiled.source;
  const content = {
    text: state.document.source,
    ...(baseline !== undefined && { base: baseline }),
  };
  const withView = encodeLink(content, viewOf(state));
  const isTooLong = checkShareable(content, withView) !== undefined;
  const fragment = isTooLong ? encodeLink(content) : withView;
  const refused = checkShareable(content, fragment);
  if (refused !== undefined) return { kind: "refused", refused };
  const address = `${base}${fragment}`;
  return { kind: "open", address, tier: lengthTier(address.length) };
}

/** What is looked at; what a fresh page shows anyway is left out. */
function viewOf({ selection, pinnedDevice, sheetTab }: Fields): LinkView {
  const { tensor, redistribution } = selection;
  return {
    ...(tensor !== undefined && { tensor }),
    ...(pinnedDevice !== undefined && { device: pinnedDevice }),
    ...(redistribution !== undefined && { step: redistribution }),
    ...(sheetTab !== "plan" && { panel: sheetTab }),
  };
}
