/** The contents of a link: the program and what belongs to it. */
export interface SharedDocument {
  readonly text: string;
  /** The plan text beside a graph in JSON. */
  readonly plan?: string;
  readonly name?: string;
  /** The text that the plan is compared with. */
  readonly base?: string;
}

/** Bytes (UTF-8) that the text of a link may have. */
export const maxTextBytes = 256 * 1024;

/** Characters of a name; longer ones are cut. */
const maxNameLength = 200;

/**
 * Control characters (tab and line ends aside) and the characters that reverse the direction of
 * what follows: they hide what a text says.
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

/**
 * The characters of a document that a link leaves out, each once, as code points: `U+0000`. A link
 * carries all others.
 */
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
