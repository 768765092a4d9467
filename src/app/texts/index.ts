export { takeEarlier } from "./earlier.ts";
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
export { lockPresence, type Presence } from "./presence.ts";
export { idOfKey, type Shelf } from "./shelf.ts";
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
export { browserStorage, noStorage, type TextStorage } from "./text-storage.ts";
