/** The contents of a link: the program and its accompanying texts. */
export interface SharedDocument {
  readonly text: string;
  /** The plan text of a graph in JSON. */
  readonly plan?: string;
  readonly name?: string;
  /** The text with which the plan is compared. */
  readonly base?: string;
}

/** Most bytes (UTF-8) of a text in a link. */
export const maxTextBytes = 256 * 1024;

/** Most characters of a name; longer ones are truncated. */
const maxNameLength = 200;

/**
 * Control characters (except tab and line ends) and bidirectional control characters, which hide
 * the true content of a text.
 */
const hidden = /[^\P{Cc}\t\n\r]|[\u202a-\u202e\u2066-\u2069]/gu;

/** The document without hidden characters and without empty fields; its canonical form. */
export function cleanDocument(document: SharedDocument): SharedDocument {
  const text = clean(document.text);
  const plan = clean(document.plan ?? "");
  const name = clean(document.name ?? "").slice(0, maxNameLength);
  const base = clean(document.base ?? "");
  return {
    text,
    ...(plan !== "" && { plan }),
    ...(name !== "" && { name }),
    ...(base !== "" && { base }),
  };
}

/** The characters of a document that a link omits, without duplicates, as code points: `U+0000`. */
export function leftOutOf({
  text,
  plan = "",
  name = "",
  base = "",
}: SharedDocument): readonly string[] {
  const found = [text, plan, name, base].flatMap((each) => each.match(hidden) ?? []);
  return [...new Set(found)].map((character) => {
    const point = character.codePointAt(0) ?? 0;
    return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  });
}

function clean(text: string): string {
  return text.replace(hidden, "");
}
