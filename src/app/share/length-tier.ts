/** Where an address of a given length can be posted. */
export interface LengthTier {
  readonly tier: "anywhere" | "most-chats" | "address-bar" | "browser-only" | "too-long";
  readonly characters: number;
  /** A short description for the reader. */
  readonly meaning: string;
}

const tiers = [
  { atMost: 2_000, tier: "anywhere", meaning: "fits in any chat" },
  { atMost: 4_000, tier: "most-chats", meaning: "fits in most chats" },
  { atMost: 8_000, tier: "address-bar", meaning: "fits in an address bar" },
  {
    atMost: 64_000,
    tier: "browser-only",
    meaning: "browsers only: paste it in a document, or send the file",
  },
] as const;

/** The tier of an address by its length in characters, including the part before `#`. */
export function lengthTier(characters: number): LengthTier {
  const found = tiers.find(({ atMost }) => characters <= atMost);
  if (found === undefined) {
    return { tier: "too-long", characters, meaning: "too long for a link: send the file" };
  }
  return { tier: found.tier, characters, meaning: found.meaning };
}
