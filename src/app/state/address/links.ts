import type {
  checkShareable,
  encodeLink,
  encodeText,
  leftOutOf,
  lengthTier,
  Refused,
  readFile,
  readFragment,
} from "#app/share";

/**
 * The reason why an address is not opened: its link is refused, or the code for it could not be
 * loaded.
 */
export interface OpenFailure extends Omit<Refused, "refusal"> {
  readonly refusal: Refused["refusal"] | "not-loaded";
}

/** Readers and writers of links and files. */
export interface Links {
  readonly checkShareable: typeof checkShareable;
  readonly encodeLink: typeof encodeLink;
  readonly encodeText: typeof encodeText;
  readonly leftOutOf: typeof leftOutOf;
  readonly lengthTier: typeof lengthTier;
  readonly readFile: typeof readFile;
  readonly readFragment: typeof readFragment;
}

/** `Links`, loaded on demand: a page that opens with the reader's own text does not need them. */
export interface LateLinks {
  readonly now: () => Links | undefined;
  /** Rejects if the code cannot be loaded; a later call tries again. */
  readonly load: () => Promise<Links>;
}

/** `LateLinks` that import the code on the first call of `load`. */
export function lateLinks(): LateLinks {
  let known: Links | undefined;
  return {
    now: () => known,
    load: async () => {
      known = await import("#app/share");
      return known;
    },
  };
}

/** Runs `act` with the links code, at once if it is loaded. */
export function withLinks(
  links: LateLinks,
  act: (links: Links) => void,
  onFault: (text: string) => void,
): void {
  const known = links.now();
  if (known !== undefined) {
    act(known);
    return;
  }
  const failed = "A part of the program could not be loaded. Reload the page, then try again.";
  void links.load().then(act, () => onFault(failed));
}
