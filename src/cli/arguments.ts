import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fieldOf } from "#core/records";
import { type Answer, type Arguments, badRequest } from "./commands/answer.ts";
import { binaryEndings } from "./commands/published.ts";

/** A command line, read. */
export interface CommandLine {
  readonly command: string;
  readonly args: Arguments;
  /** Whether the answer is wanted as JSON. */
  readonly json: boolean;
}

/** Fields that are texts whatever they look like; every other value is read as JSON if it can be. */
const textFields = new Set([
  ...["program", "planText", "annotation", "layout", "tensor", "name", "link", "base"],
  ...["text", "format", "op", "weights", "file", "settings", "hlo", "hloText"],
]);

/** What an argument without a flag means; elsewhere it is a file that is read as `program`. */
const plainArgument: Readonly<Record<string, string>> = {
  parse: "annotation",
  infer: "annotation",
  partition: "annotation",
  open: "link",
  gallery: "name",
  lesson: "name",
};

/**
 * Reads `COMMAND [FILE] [--field value]… [--json]`; of `lesson` the program too is a file, of `settings` the settings. What cannot be read is an answer of its own.
 */
export function readCommandLine(argv: readonly string[]): CommandLine | Answer {
  const [command = "help", ...words] = argv;
  const args: Record<string, unknown> = {};
  let json = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--json") json = true;
    else if (word.startsWith("--")) {
      const [name = "", inline] = splitFlag(word.slice(2));
      const next = words[at + 1];
      const takesNext = inline === undefined && next !== undefined && !next.startsWith("--");
      if (takesNext) at++;
      const value = inline ?? (takesNext ? next : "true");
      const file = namesFile(command, name) ? readText(value) : undefined;
      if (file !== undefined && "ok" in file) return file;
      args[name] = file?.text ?? flagValue(name, value);
    } else {
      const field = Object.hasOwn(plainArgument, command)
        ? fieldOf(plainArgument, command)
        : undefined;
      if (field === undefined && binaryEndings.test(word)) {
        args.file = word;
        continue;
      }
      const read = field === undefined ? readText(word) : { text: word };
      if ("ok" in read) return read;
      args[field ?? "program"] = read.text;
    }
  }
  return { command, args, json };
}

function splitFlag(flag: string): readonly [string, string | undefined] {
  const at = flag.indexOf("=");
  return at < 0 ? [flag, undefined] : [flag.slice(0, at), flag.slice(at + 1)];
}

function flagValue(name: string, text: string): unknown {
  if (textFields.has(name)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text; // not JSON: a plain text such as a layout
  }
}

/** A file's text; `-` is standard input. Paths count from where the user stands. */
function readText(path: string): { readonly text: string } | Answer {
  try {
    const from = path === "-" ? 0 : resolve(process.env.INIT_CWD ?? process.cwd(), path);
    return { text: readFileSync(from, "utf8") };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    return badRequest(`cannot read the file "${path}"${code}`);
  }
}

/** Whether a field is the name of a file whose text is meant. */
function namesFile(command: string, field: string): boolean {
  return (
    (command === "lesson" && field === "program") || (command === "settings" && field === command)
  );
}
