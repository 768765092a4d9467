import type { Fix, Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import { removalEdits } from "./edit-json.ts";
import { type JsonNode, type JsonPath, memberOf, membersOf, textOf } from "./json-node.ts";
import { isUuid } from "./uuid.ts";

/** One violation of a schema. */
export interface SchemaFault {
  /** The JSON-Schema keyword that fails. */
  readonly keyword: string;
  readonly path: JsonPath;
  readonly schemaPath: string;
  readonly args: string;
  readonly value: JsonNode;
  /** The fault in the reader's words. */
  readonly message: string;
  readonly span: Span;
  readonly fixes?: readonly Fix[];
}

/** A value with its path from the root of the checked JSON. */
export interface SchemaPlace {
  readonly value: JsonNode;
  readonly path: JsonPath;
  readonly schemaPath: string;
}

/** A schema: lists every violation of a value. */
export type Schema = (place: SchemaPlace) => readonly SchemaFault[];

/** Pattern for names of inputs, outputs and parameters. */
const namePattern = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Accepts any JSON. */
export const anything: Schema = () => [];

export const text: Schema = (place) =>
  textOf(place.value) === undefined ? [wrongType(place, "string", "a text")] : [];

export const integer: Schema = (place) =>
  isInteger(place.value) ? [] : [wrongType(place, "integer", "a whole number")];

function isInteger(value: JsonNode): boolean {
  return value.kind === "plain" && Number.isInteger(value.value);
}

export const uuid: Schema = (place) => {
  const id = textOf(place.value);
  if (id === undefined) return [wrongType(place, "string", "a UUID")];
  if (isUuid(id)) return [];
  return [fault(place, "format", "uuid", `"${id}" is no UUID`)];
};

/** A list whose items all follow a schema. */
export function listOf(item: Schema, { minItems = 0 } = {}): Schema {
  return (place) => {
    const { value, path, schemaPath } = place;
    if (value.kind !== "array") return [wrongType(place, "array", "a list")];
    if (value.items.length < minItems) {
      return [fault(place, "minItems", String(minItems), `${nameOf(path)} is an empty list`)];
    }
    // Most of a graph is coordinates, so messages are built only when one of them is wrong.
    if (item === integer && value.items.every(isInteger)) return [];
    return value.items.flatMap((each, at) =>
      item({ value: each, path: [...path, at], schemaPath: `${schemaPath}/items` }),
    );
  };
}

/** An object with exactly these fields. */
export function record(
  required: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema {
  const fields: Readonly<Record<string, Schema>> = { ...required, ...optional };
  return (place) => {
    const { value } = place;
    if (value.kind !== "object") return [wrongType(place, "object", "an object")];
    const absent = Object.keys(required).filter((name) => memberOf(value, name) === undefined);
    const missing = absent.map((name) => {
      const { from } = value.span;
      const lacking = fault(place, "required", name, `"${name}" is missing`);
      return { ...lacking, span: { from, to: from + 1 } };
    });
    return [
      ...missing,
      ...membersOf(value).flatMap(({ name, nameSpan, value: inner }) => {
        if (!Object.hasOwn(fields, name)) return [unknownField(place, name, nameSpan, fields)];
        const schemaPath = `${place.schemaPath}/properties/${name}`;
        return (
          fieldOf(fields, name)?.({ value: inner, path: [...place.path, name], schemaPath }) ?? []
        );
      }),
    ];
  };
}

/** An object with any names; with `wantsNames` they must be identifiers. */
export function mapOf(item: Schema, { wantsNames = false } = {}): Schema {
  return (place) => {
    const { value, path, schemaPath } = place;
    if (value.kind !== "object") return [wrongType(place, "object", "an object")];
    return membersOf(value).flatMap(({ name, nameSpan, value: inner }) => {
      if (!wantsNames || namePattern.test(name)) {
        return item({ value: inner, path: [...path, name], schemaPath: `${schemaPath}/${name}` });
      }
      const rule = "letters, digits and _, not beginning with a digit";
      const message = `"${name}" is no name that Loom allows: ${rule}`;
      const bad = fault(place, "additionalProperties", name, message);
      const better = name.replace(/\W/g, "_").replace(/^(?=\d|$)/, "_");
      const isFree = memberOf(value, better) === undefined;
      const fix = { title: `Write "${better}"`, edits: [{ ...nameSpan, text: `"${better}"` }] };
      return [{ ...bad, span: nameSpan, ...(isFree && { fixes: [fix] }) }];
    });
  };
}

function wrongType(place: SchemaPlace, type: string, wanted: string): SchemaFault {
  return fault(place, "type", type, `${nameOf(place.path)} must be ${wanted}`);
}

function fault(place: SchemaPlace, keyword: string, args: string, message: string): SchemaFault {
  const { value, path } = place;
  const schemaPath = `${place.schemaPath}/${keyword}`;
  return { keyword, path, schemaPath, args, value, message, span: value.span };
}

function nameOf(path: JsonPath): string {
  const names = path.filter((step) => typeof step === "string");
  const last = path.at(-1);
  const name = names.at(-1);
  if (name === undefined) return last === undefined ? "it" : `entry ${last}`;
  return typeof last === "number" ? `entry ${last} of "${name}"` : `"${name}"`;
}

function unknownField(
  place: SchemaPlace,
  name: string,
  span: Span,
  fields: Readonly<Record<string, Schema>>,
): SchemaFault {
  const known = Object.keys(fields).join(", ");
  const where = place.path.length === 0 ? "here" : `of ${nameOf(place.path)}`;
  const message = `"${name}" is not a field ${where}; ${known === "" ? "there are none" : `there are ${known}`}`;
  const edits = removalEdits(place.value, name);
  const bad = { ...fault(place, "additionalProperties", name, message), span };
  return edits.length === 0 ? bad : { ...bad, fixes: [{ title: `Remove "${name}"`, edits }] };
}
