import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fieldOf } from "#core/records";
import { type Answer, type Arguments, badRequest } from "./commands/answer.ts";
import { binaryEndings } from "./commands/published.ts";

/** A parsed command line. */
export interface CommandLine {
  readonly command: string;
  readonly args: Arguments;
  /** Whether to print the answer as JSON. */
  readonly json: boolean;
}

/** Fields that are always texts; any other value is parsed as JSON if possible. */
const textFields = new Set([
  ...["program", "planText", "annotation", "layout", "tensor", "name", "link", "base"],
  ...["text", "format", "op", "weights", "file", "settings", "hlo", "hloText"],
]);

/**
 * Field set by an argument without a flag, by command; for other commands the argument is a file
 * read as `program`.
 */
const plainArgument: Readonly<Record<string, string>> = {
  parse: "annotation",
  infer: "annotation",
  partition: "annotation",
  open: "link",
  gallery: "name",
  lesson: "name",
};

/**
 * Parses `COMMAND [FILE] [--field value]… [--json]`. For `lesson` the program is a file too, for
 * `settings` the settings. Returns an answer with a diagnostic for an invalid command line.
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

/** Text of a file; `-` is standard input. Paths are relative to the user's working directory. */
function readText(path: string): { readonly text: string } | Answer {
  try {
    const from = path === "-" ? 0 : resolve(process.env.INIT_CWD ?? process.cwd(), path);
    return { text: readFileSync(from, "utf8") };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    return badRequest(`cannot read the file "${path}"${code}`);
  }
}

/** Whether a field holds a file name, in place of the file's text. */
function namesFile(command: string, field: string): boolean {
  return (
    (command === "lesson" && field === "program") || (command === "settings" && field === command)
  );
}
