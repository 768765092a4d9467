import type { Span } from "#core/diagnostics";
import { type JsonToken, type OpenJson, scanJson } from "#language/tokens";

/** A place in a LoomGraph's JSON: the path to it, and the token there. */
export interface LoomPlace {
  readonly offset: number;
  /**
   * Member names and item positions from the graph on; at a member name, the path of the object
   * around it.
   */
  readonly way: readonly (string | number)[];
  /** Whether the place holds, or would hold, a member name. */
  readonly isName: boolean;
  readonly token?: JsonToken;
  /** String members of each object on the path, the innermost last. */
  readonly texts: readonly ReadonlyMap<string, string>[];
  /** Member names of the innermost object, also those after the place. */
  readonly names: readonly string[];
  /** Offsets of the opening brackets of the open containers. */
  readonly opens: readonly number[];
}

/** Characters scanned after the place, to find the other members of its node. */
const lookAhead = 20_000;

/** The place at an offset; a token that ends at the offset counts as the one there. */
export function loomPlace(json: string, offset: number): LoomPlace {
  let found: LoomPlace | undefined;
  const stop = (open: readonly OpenJson[], from: number) => {
    if (found === undefined && from >= offset) found = placeFrom(open, offset, undefined);
    return found !== undefined && (from > offset + lookAhead || open.length < 3);
  };
  scanJson(json, {
    enter: (open) => stop(open.slice(0, -1), open.at(-1)?.from ?? 0),
    leave: (open, to) => stop(open, to - 1),
    end: (open) => {
      found ??= placeFrom(open, offset, undefined);
    },
    token: (token, open) => {
      const isHere = token.from <= offset && offset <= token.to;
      if (found === undefined && isHere && token.to > token.from) {
        found = placeFrom(open, offset, token);
      }
      return stop(open, token.from);
    },
  });
  return found ?? placeFrom([], offset, undefined);
}

// Maps and lists of open containers are shared with the scan, which goes on filling them after the
// place.
function placeFrom(
  open: readonly OpenJson[],
  offset: number,
  token: JsonToken | undefined,
): LoomPlace {
  const last = open.at(-1);
  const isName = last?.kind === "object" && (token?.kind === "name" || last.key === undefined);
  const keys = open.map(({ key }) => key ?? "");
  return {
    offset,
    way: isName ? keys.slice(0, -1) : keys,
    isName,
    ...(token !== undefined && { token }),
    texts: open.map(({ texts }) => texts),
    names: last?.names ?? [],
    opens: open.map(({ from }) => from),
  };
}

/** Span that a completion replaces: the quoted word at the place, or an empty span. */
export function typedSpan({ token, offset }: LoomPlace): Span {
  return token === undefined ? { from: offset, to: offset } : { from: token.from, to: token.to };
}
