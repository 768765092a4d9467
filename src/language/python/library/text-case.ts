import type { Span } from "#core/diagnostics";
import type { Argument } from "../values/host.ts";
import type { Runtime } from "../values/runtime.ts";
import type { Value } from "../values/value.ts";
import { isSpace } from "./white-space.ts";

type TextMethod = (rt: Runtime, self: string, args: readonly Argument[], span: Span) => Value;

function changed(change: (text: string) => string): TextMethod {
  return (rt, self, args, span) => {
    if (args.length > 0) rt.fail("TypeError", `takes no arguments (${args.length} given)`, span);
    rt.allocateText(self.length, span);
    return { kind: "str", value: change(self) };
  };
}

function tested(test: (text: string) => boolean): TextMethod {
  return (rt, self, args, span) => {
    if (args.length > 0) rt.fail("TypeError", `takes no arguments (${args.length} given)`, span);
    return { kind: "bool", value: test(self) };
  };
}

function matching(pattern: RegExp): TextMethod {
  return tested((text) => pattern.test(text));
}

/** Methods of `str` for case and character classes. */
export const caseMethods: ReadonlyMap<string, TextMethod> = new Map<string, TextMethod>([
  ["upper", changed((text) => text.toUpperCase())],
  ["lower", changed((text) => text.toLowerCase())],
  ["casefold", changed((text) => text.toLowerCase().replaceAll("ß", "ss"))],
  ["capitalize", changed(capitalize)],
  ["title", changed(title)],
  ["swapcase", changed(swapCase)],
  ["isdigit", matching(/^[\p{Nd}\u00b2\u00b3\u00b9\u2070-\u2079\u2080-\u2089]+$/u)],
  ["isdecimal", matching(/^\p{Nd}+$/u)],
  ["isnumeric", matching(/^\p{N}+$/u)],
  ["isalpha", matching(/^\p{L}+$/u)],
  ["isalnum", matching(/^[\p{L}\p{N}]+$/u)],
  ["isspace", tested((text) => text !== "" && Array.from(text).every(isSpace))],
  ["isidentifier", matching(/^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}_]*$/u)],
  ["isupper", tested((text) => /\p{Lu}/u.test(text) && !/[\p{Ll}\p{Lt}]/u.test(text))],
  ["islower", tested((text) => /\p{Ll}/u.test(text) && !/[\p{Lu}\p{Lt}]/u.test(text))],
  ["istitle", tested((text) => /\p{L}/u.test(text) && title(text) === text)],
  ["isascii", tested((text) => Array.from(text).every((character) => character < "\u0080"))],
  ["isprintable", tested((text) => !/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(text))],
]);

/** Letters with a distinct title case (digraphs such as ǅ). */
const titled: ReadonlyMap<string, string> = new Map(
  ["ǄǅǆǅǇǈǉǈǊǋǌǋǱǲǳǲ"].flatMap((row) =>
    (row.match(/.{4}/gu) ?? []).flatMap((four) => {
      const [upper = "", title = "", lower = ""] = four;
      return [upper, title, lower].map((letter) => [letter, title] as const);
    }),
  ),
);

function titleCase(letter: string): string {
  const [first = "", ...rest] = letter.toUpperCase();
  return titled.get(letter) ?? first + rest.join("").toLowerCase();
}

function capitalize(text: string): string {
  const [head = "", ...rest] = text;
  return titleCase(head) + rest.join("").toLowerCase();
}

function title(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => capitalize(word));
}

function swapCase(text: string): string {
  return Array.from(text, (character) =>
    character === character.toUpperCase() ? character.toLowerCase() : character.toUpperCase(),
  ).join("");
}
