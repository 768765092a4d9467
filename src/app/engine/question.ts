import { NotLoaded } from "./late-part.ts";
import { type Reply, unanswered } from "./reply.ts";

/**
 * Types of a worker's questions: for each kind its arguments, its answer, and the news sent
 * meanwhile. The message types of both ends derive from it.
 */
export type QuestionTable<Table> = {
  readonly [Kind in keyof Table]: {
    readonly takes: object;
    readonly gives: unknown;
    readonly tells?: unknown;
  };
};

type Takes<Table extends QuestionTable<Table>, Kind extends keyof Table> = Table[Kind]["takes"];
type Gives<Table extends QuestionTable<Table>, Kind extends keyof Table> = Table[Kind]["gives"];
type Tells<Table extends QuestionTable<Table>, Kind extends keyof Table> = Table[Kind]["tells"];

/** Question sent to a worker; messages about it carry the same `id`. */
export type Question<Table extends QuestionTable<Table>, Kind extends keyof Table = keyof Table> = {
  [K in Kind]: { readonly id: number; readonly kind: K; readonly asked: Takes<Table, K> };
}[Kind];

/** Question of a kind, typed as a member of its table. */
export function questionOf<Table extends QuestionTable<Table>, Kind extends keyof Table>(
  id: number,
  kind: Kind,
  asked: Takes<Table, Kind>,
): Question<Table> {
  const question: Question<Table, Kind> = { id, kind, asked };
  return question;
}

/**
 * Message from a worker: news, the answer, or an internal failure (faults of the text are answers).
 */
export type Message<Table extends QuestionTable<Table>> =
  | { [Kind in keyof Table]: OfKind<Table, Kind> }[keyof Table]
  | { readonly id: number; readonly failure: string };

type OfKind<Table extends QuestionTable<Table>, Kind extends keyof Table> =
  | { readonly id: number; readonly kind: Kind; readonly answer: Gives<Table, Kind> }
  | { readonly id: number; readonly kind: Kind; readonly news: Tells<Table, Kind> };

/** Handlers on the worker's side, one per kind; they may throw. */
export type Handlers<Table extends QuestionTable<Table>> = {
  readonly [Kind in keyof Table]: (
    asked: Takes<Table, Kind>,
    tell: (news: Tells<Table, Kind>) => void,
  ) => Gives<Table, Kind> | Promise<Gives<Table, Kind>>;
};

/** Answers a question by posting messages. */
export type Answerer<Table extends QuestionTable<Table>> = (
  question: Question<Table>,
) => Promise<void>;

/**
 * Dispatches each question to the handler of its kind. An exception is posted as a failure, except
 * `NotLoaded`, which is rethrown so that the caller can load the code and retry.
 */
export function createAnswerer<Table extends QuestionTable<Table>>(
  handlers: Handlers<Table>,
  post: (message: Message<Table>) => void,
): Answerer<Table> {
  return async <Kind extends keyof Table>({ id, kind, asked }: Question<Table, Kind>) => {
    const say = (message: OfKind<Table, Kind>) => post(message);
    try {
      const answer = await handlers[kind](asked, (news) => say({ id, kind, news }));
      say({ id, kind, answer });
    } catch (fault) {
      if (fault instanceof NotLoaded) throw fault;
      post({ id, failure: fault instanceof Error ? fault.message : String(fault) });
    }
  };
}

/**
 * Reply contained in a message about a question; `undefined` for news, which are passed to `tell`.
 */
export function replyIn<Table extends QuestionTable<Table>, Kind extends keyof Table>(
  message: Message<Table>,
  kind: Kind,
  tell: (news: Tells<Table, Kind>) => void = () => {},
): Reply<Gives<Table, Kind>> | undefined {
  if ("failure" in message) return unanswered(message.failure);
  if (!isOfKind<Table, Kind>(message, kind)) {
    return { kind: "failed", message: `unexpected ${String(message.kind)}` };
  }
  if ("answer" in message) return { kind: "done", value: message.answer };
  tell(message.news);
  return undefined;
}

function isOfKind<Table extends QuestionTable<Table>, Kind extends keyof Table>(
  message: { readonly kind: keyof Table },
  kind: Kind,
): message is OfKind<Table, Kind> {
  return message.kind === kind;
}
