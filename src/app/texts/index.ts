// Storage of texts.

export { idOfKey, type Shelf } from "./shelf.ts";
export { browserStorage, noStorage, type TextStorage } from "./text-storage.ts";

// A stored text, and the list of all.

export { type From, type KeptText, type TextId, textId, timeOf } from "./kept-text.ts";
export {
  describeText,
  duplicateText,
  idOf,
  type ListedText,
  listTexts,
  mostUnnamed,
  type RemovedText,
  rawText,
  removeOldest,
  removeText,
  renameText,
  restoreText,
  saveUnsaved,
  textsWith,
} from "./plan-list.ts";

// The text on screen, and the pages that show other texts.

export { lockPresence, type Presence } from "./presence.ts";
export {
  freshText,
  hearText,
  keepAsCame,
  keepText,
  latestText,
  openText,
  type ShownText,
  textOfLink,
} from "./shown-text.ts";

// Texts of earlier versions of this program.

export { takeEarlier } from "./earlier.ts";
