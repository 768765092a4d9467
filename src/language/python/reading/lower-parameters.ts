import type { SyntaxNode } from "@lezer/common";
import type { ParameterKind } from "../values/value.ts";
import { slashParameter } from "./desugar.ts";
import { childNodesOf, nameOf, type Reading, SyntaxFault, spanOf, textOf } from "./reading.ts";
import type { Expression, ParameterNode } from "./syntax.ts";

type Lower = (reading: Reading, node: SyntaxNode) => Expression;

/** The parameters of a `ParamList`, with `/` and `*` turned into kinds. */
export function lowerParameters(
  reading: Reading,
  list: SyntaxNode,
  lower: Lower,
): readonly ParameterNode[] {
  const parameters: ParameterNode[] = [];
  let kind: ParameterKind = "positional";
  const groups = groupsOf(reading, list);
  checkSigns(reading, list, groups);
  for (const group of groups) {
    if (group === "/") {
      parameters.forEach((parameter, index) => {
        parameters[index] = { ...parameter, kind: "positional-only" };
      });
      continue;
    }
    const star = group[0]?.name;
    if (star === "*" && group.length === 1) {
      kind = "keyword-only";
      continue;
    }
    const own = star === "*" ? "var-positional" : star === "**" ? "var-keyword" : kind;
    parameters.push(lowerParameter(reading, own === kind ? group : group.slice(1), own, lower));
    if (star === "*") kind = "keyword-only";
  }
  checkParameters(parameters);
  return parameters;
}

/** Where `/`, `*` and `**` may stand among the parameters. */
function checkSigns(
  reading: Reading,
  list: SyntaxNode,
  groups: readonly (readonly SyntaxNode[] | "/")[],
): void {
  const signs = groups.map((group) => {
    if (group === "/") return "/";
    const sign = group[0]?.name ?? "";
    return sign === "*" && group.length === 1 ? "bare" : sign;
  });
  const say = (message: string) => {
    throw new SyntaxFault("SyntaxError", message, spanOf(reading, list));
  };
  const bare = signs.indexOf("bare");
  const following = signs[bare + 1];
  if (bare >= 0 && (following === undefined || following === "**")) {
    say("named arguments must follow bare *");
  }
  const keywords = signs.indexOf("**");
  if (keywords >= 0 && keywords < signs.length - 1) {
    say("arguments cannot follow var-keyword argument");
  }
  const slash = signs.indexOf("/");
  if (slash === 0) say("at least one argument must precede /");
  if (slash >= 0 && signs.includes("/", slash + 1)) say("/ may appear only once");
  const star = signs.findIndex((sign) => sign === "*" || sign === "bare");
  if (star >= 0 && star < slash) say("/ must be ahead of *");
  if (signs.filter((sign) => sign === "*" || sign === "bare").length > 1) {
    say("* argument may appear only once");
  }
}

/** The grammar gives `/` no node: it is the text between two commas that holds nothing else. */
function groupsOf(reading: Reading, list: SyntaxNode): readonly (readonly SyntaxNode[] | "/")[] {
  const groups: (SyntaxNode[] | "/")[] = [];
  let group: SyntaxNode[] = [];
  let from = list.from;
  const close = (to: number) => {
    const [only] = group;
    const isSlash =
      group.length === 1 && only !== undefined && textOf(reading, only) === slashParameter;
    if (isSlash) groups.push("/");
    else if (group.length > 0) groups.push(group);
    else if (reading.text.slice(from, to).includes("/")) groups.push("/");
    group = [];
  };
  for (const part of childNodesOf(reading, list)) {
    if (part.name === "(" || part.name === ")") continue;
    if (part.name === ",") {
      close(part.from);
      from = part.to;
    } else group.push(part);
  }
  close(list.to);
  return groups;
}

function lowerParameter(
  reading: Reading,
  group: readonly SyntaxNode[],
  kind: ParameterKind,
  lower: Lower,
): ParameterNode {
  const [name] = group;
  const last = group.at(-1);
  if (name?.name !== "VariableName" || last === undefined) {
    throw new SyntaxFault(
      "SyntaxError",
      "invalid syntax",
      spanOf(reading, name ?? { from: 0, to: 0 }),
    );
  }
  const annotation = group.find((part) => part.name === "TypeDef")?.lastChild;
  const equals = group.findIndex((part) => part.name === "AssignOp");
  const value = equals < 0 ? undefined : group[equals + 1];
  return {
    name: nameOf(reading, name),
    kind,
    span: spanOf(reading, { from: name.from, to: last.to }),
    nameSpan: spanOf(reading, name),
    ...(annotation ? { annotationSpan: spanOf(reading, annotation) } : {}),
    ...(value === undefined ? {} : { default: lower(reading, value) }),
  };
}

function checkParameters(parameters: readonly ParameterNode[]): void {
  const names = new Set<string>();
  let hasDefault = false;
  for (const { name, nameSpan, kind, default: value } of parameters) {
    if (names.has(name)) {
      const message = `duplicate argument '${name}' in function definition`;
      throw new SyntaxFault("SyntaxError", message, nameSpan);
    }
    names.add(name);
    if (kind !== "positional" && kind !== "positional-only") continue;
    if (value !== undefined) hasDefault = true;
    else if (hasDefault) {
      throw new SyntaxFault(
        "SyntaxError",
        "non-default argument follows default argument",
        nameSpan,
      );
    }
  }
}
