// The service behind an editor, with its requests and replies.

export { createLanguageService, type LanguageService } from "./language-service.ts";
export { movedReply } from "./moved-reply.ts";
export type { LanguageReply, LanguageRequest } from "./request.ts";

// The contents of replies.

export type { CompletionKind } from "./completion.ts";
export type { Hover } from "./hover.ts";
export type { SemanticWord } from "./semantic-words.ts";

// The text of an editor, which may join a graph and its plan.

export { alternativesOf, compileText, weigh } from "./two-texts.ts";
