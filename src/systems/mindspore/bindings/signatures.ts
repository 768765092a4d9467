import { fieldOf } from "#core/records";
import type { Argument } from "#language/python";
import signatures from "./signatures.json" with { type: "json" };

const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = signatures;

/**
 * Why Python refuses the arguments of a constructor or function of MindSpore 2.10: too many, one
 * missing, or an unknown keyword. `undefined` if it accepts them, or if the signature was not
 * recorded (`engines/record_mindspore_signatures.py`).
 *
 * @param table `Primitive`, a module of layers, or a family of functions
 * @param mayLack whether a missing argument is left to the caller
 */
export function signatureFault(
  table: string,
  name: string,
  args: readonly Argument[],
  mayLack = false,
): string | undefined {
  const signature = fieldOf(fieldOf(tables, table) ?? {}, name);
  if (signature === undefined) return undefined;
  const words = signature.split(" ").filter((word) => word !== "");
  const star = words.indexOf("*");
  const places = (star < 0 ? words : words.slice(0, star)).map(plainName);
  const names = words.filter((word) => word !== "*").map(plainName);
  const placed = args.filter((each) => each.name === undefined).length;
  const keys = args.flatMap((each) => each.name ?? []);
  if (placed > places.length) {
    const most = `${places.length} positional argument${places.length === 1 ? "" : "s"}`;
    return `${name}() takes ${most} but ${placed} ${placed === 1 ? "was" : "were"} given`;
  }
  const odd = keys.find((key) => !names.includes(key));
  if (odd !== undefined) return `${name}() got an unexpected keyword argument '${odd}'`;
  const twice = keys.find((key) => places.slice(0, placed).includes(key));
  if (twice !== undefined) return `${name}() got multiple values for argument '${twice}'`;
  if (mayLack) return undefined;
  const given = new Set([...places.slice(0, placed), ...keys]);
  const lacking = words.find((word) => !/[*=]$/u.test(word) && !given.has(word));
  return lacking && `${name}() is missing a required argument: '${lacking}'`;
}

function plainName(word: string): string {
  return word.replace("=", "");
}
