export type { CompletionItem, CompletionKind, CompletionList } from "./completion.ts";
export type { Hover } from "./hover.ts";
export { createLanguageService, type LanguageService } from "./language-service.ts";
export { movedReply } from "./moved-reply.ts";
export type { RenameTarget } from "./rename.ts";
export type { LanguageReply, LanguageRequest } from "./request.ts";
export type { SemanticWord } from "./semantic-words.ts";
export type { SignatureHelp } from "./signature-at.ts";
export { alternativesOf, compileText, weigh } from "./two-texts.ts";
