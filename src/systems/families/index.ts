// Families of models as texts; their sizes are named as in `config.json`.

import families from "./families.json";
import type { Family } from "./family.ts";
import names from "./hub.json";
import configs from "./published.json";
import { familyTexts } from "./texts.ts";

export { bareClass, type FamilyClass, familyClass, libraryTextOf, pythonOf } from "./as-library.ts";
export { withEnd } from "./ends.ts";
export type { Family } from "./family.ts";
export { isOfSizes } from "./usual.ts";

/** Every family, and the texts by file name. */
export const knownFamilies: {
  readonly list: readonly Family[];
  readonly texts: ReadonlyMap<string, string>;
} = { list: families as readonly Family[], texts: familyTexts };

/** Published models: the text of each, its number of parameters and its configuration. */
export const publishedConfigs: readonly {
  readonly text: string;
  readonly name: string;
  readonly parameters: number;
  readonly config: Readonly<Record<string, unknown>>;
}[] = configs;

/** Names in `publishedConfigs`, by the names of published models. */
export const hubNames: Readonly<Record<string, string>> = names;
