import { NotLoaded } from "./late-part.ts";
import { type Reply, unanswered } from "./reply.ts";

/**
 * A table of a worker's questions. For each kind: the arguments of a question, its answer, and
 * messages while it is worked on. The types of both ends follow from it.
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

/** A question on its way to a worker; all messages about it have its number. */
export type Question<Table extends QuestionTable<Table>, Kind extends keyof Table = keyof Table> = {
  [K in Kind]: { readonly id: number; readonly kind: K; readonly asked: Takes<Table, K> };
}[Kind];

/** A question as a member of its table, from its kind's arguments. */
export function questionOf<Table extends QuestionTable<Table>, Kind extends keyof Table>(
  id: number,
  kind: Kind,
  asked: Takes<Table, Kind>,
): Question<Table> {
  const question: Question<Table, Kind> = { id, kind, asked };
  return question;
}

/** A message of a worker: news of a question, its answer, or a fault of ours, never of the text. */
export type Message<Table extends QuestionTable<Table>> =
  | { [Kind in keyof Table]: OfKind<Table, Kind> }[keyof Table]
  | { readonly id: number; readonly failure: string };

type OfKind<Table extends QuestionTable<Table>, Kind extends keyof Table> =
  | { readonly id: number; readonly kind: Kind; readonly answer: Gives<Table, Kind> }
  | { readonly id: number; readonly kind: Kind; readonly news: Tells<Table, Kind> };

/** A worker's end of a table: one function per kind, which may throw. */
export type Handlers<Table extends QuestionTable<Table>> = {
  readonly [Kind in keyof Table]: (
    asked: Takes<Table, Kind>,
    tell: (news: Tells<Table, Kind>) => void,
  ) => Gives<Table, Kind> | Promise<Gives<Table, Kind>>;
};

/** A worker's answers, as it posts them when it is asked. */
export type Answerer<Table extends QuestionTable<Table>> = (
  question: Question<Table>,
) => Promise<void>;

/**
 * Answers each question by the handler of its kind; what that throws is posted as a failure, but for
 * `NotLoaded`, after which the question is to be answered again.
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

/** The reply in a worker's message about a question; `undefined` for news, which go to `tell`. */
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
