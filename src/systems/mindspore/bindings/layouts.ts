import type { Fix, Span } from "#core/diagnostics";
import { meshLimit } from "#core/mesh";
import {
  bindArguments,
  integer,
  itemsOf,
  text,
  textOf,
  tuple,
} from "#language/document/bindings/values";
import type {
  LayoutSpec,
  MapEntry,
  Recorder,
  WrittenAxes,
  WrittenLayout,
} from "#language/document/trace";
import {
  type Argument,
  type Context,
  dictOf,
  type HostFunction,
  type HostObject,
  type HostType,
  type SpanTree,
  type Value,
} from "#language/python";
import { callLayout, constructLayout, type Fault, type Plain } from "../layout.ts";

/** A `Layout` of MindSpore, called or not. */
export interface MindsporeLayout {
  readonly spec: LayoutSpec;
  /** Whether a call returned this layout; the called layout itself only remembers its last map. */
  readonly isResult?: boolean;
  /** The map of the last call, and its written form. */
  called?: { readonly map: readonly MapEntry[]; readonly written: WrittenLayout };
}

const layoutType: HostType = {
  name: "Layout",
  call: (self, args, context, span) => callWord(layoutIn(self), args, context, span),
  attribute: (self, name) => (name === "to_dict" ? toDictMethod(layoutIn(self)) : undefined),
  text: () => "Layout",
  plain: (self) => plainDict(layoutIn(self)),
};

/** The layout that a Python value holds; `undefined` if it is none. */
export function mindsporeLayoutOf(value: Value | undefined): MindsporeLayout | undefined {
  return value?.kind === "host" && value.type === layoutType ? layoutIn(value) : undefined;
}

/** The cast is safe: only values of the layout type reach its methods. */
function layoutIn(self: HostObject): MindsporeLayout {
  return self.data as MindsporeLayout;
}

function layoutValue(layout: MindsporeLayout): Value {
  return { kind: "host", type: layoutType, data: layout };
}

/**
 * `Layout(device_matrix, alias_name, rank_list=None)`; each is recorded in the trace as a possible
 * mesh.
 */
export function layoutClass(recorder: Recorder): HostFunction {
  return {
    kind: "host-function",
    name: "Layout",
    call: (args, context, span) => {
      const names = ["device_matrix", "alias_name", "rank_list"];
      const { bound, extra } = bindArguments(names, withAlias(args, context));
      if (extra[0]?.name !== undefined) {
        const message = `Layout.__init__() got an unexpected keyword argument '${extra[0].name}'`;
        return context.raise("TypeError", message, extra[0].span);
      }
      const [matrix, alias, ranks] = names.map((name) => bound.get(name));
      if (matrix === undefined || alias === undefined) {
        return context.raise("TypeError", "Layout() needs device_matrix and alias_name", span);
      }
      refuseTooLarge(matrix, context);
      const isGiven = ranks !== undefined && ranks.value.kind !== "none";
      const made = constructLayout(
        toPlain(matrix.value),
        toPlain(alias.value),
        isGiven ? toPlain(ranks.value) : undefined,
      );
      if (!made.ok) {
        const fixes = [...asTuple(alias, context), ...otherAliases(matrix, alias)];
        return raise(made.fault, [matrix, alias, ranks], context, span, fixes);
      }
      recorder.trace.layouts.push({ spec: made.value, span, matrix: matrix.tree });
      return layoutValue({ spec: made.value });
    },
  };
}

/**
 * Reads the keyword `name=(…)`, which occurs once in MindSpore's documentation, as `alias_name`,
 * with a warning.
 */
function withAlias(args: readonly Argument[], context: Context): readonly Argument[] {
  const isGiven = args.some(
    ({ name }, at) => name === "alias_name" || (name === undefined && at === 1),
  );
  return args.map((argument) => {
    const { name, nameSpan } = argument;
    if (isGiven || name !== "name" || nameSpan === undefined) return argument;
    context.report({
      code: "mindspore/layout-alias",
      severity: "warning",
      message: 'Layout() has no argument "name": read as "alias_name"',
      span: nameSpan,
      upstream: "TypeError",
      fixes: [{ title: "Write alias_name", edits: [{ ...nameSpan, text: "alias_name" }] }],
    });
    return { ...argument, name: "alias_name" };
  });
}

/**
 * Refuses a device matrix above the mesh limit: a few characters can list a huge number of ranks.
 */
function refuseTooLarge({ value, span }: Argument, context: Context): void {
  const sizes = value.kind === "tuple" ? value.items : [];
  const fault = meshLimit(sizes.map((size) => (size.kind === "int" ? Number(size.value) : 1)));
  if (fault !== undefined) {
    context.raise("NotImplementedError", fault.message, span, { code: fault.code });
  }
}

function callWord(
  layout: MindsporeLayout,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const outcome = callLayout(
    layout.spec,
    args.map(({ value }) => toPlain(value)),
  );
  if (!outcome.ok)
    return raise(outcome.fault, args, context, span, fixesOf(layout.spec, args, outcome.fault));
  const dims = args.map((argument, index) =>
    writtenDim(layout.spec, outcome.value[index] ?? -1, argument),
  );
  const called = { map: outcome.value, written: { dims, span } };
  layout.called = called;
  return layoutValue({ spec: layout.spec, called, isResult: true });
}

/** One entry of a called layout as axis names with their spans. */
function writtenDim(spec: LayoutSpec, entry: MapEntry, argument: Argument): WrittenAxes {
  const values = typeof entry === "number" ? [entry] : entry;
  const places = placesOf(argument.tree, argument.span, typeof entry !== "number");
  const axes = values.flatMap((value, index) => {
    const name = value < 0 ? undefined : spec.aliasName[spec.aliasName.length - 1 - value];
    return name === undefined ? [] : [{ name, span: places[index] ?? argument.span }];
  });
  return { axes, span: argument.span, entry };
}

function placesOf(tree: SpanTree | undefined, span: Span, isTuple: boolean): readonly Span[] {
  return isTuple ? (tree?.items.map((item) => item.span) ?? []) : [tree?.span ?? span];
}

function raise(
  fault: Fault,
  args: readonly (Argument | undefined)[],
  context: Context,
  span: Span,
  fixes: readonly Fix[] = [],
): never {
  const isNone = args[fault.argument]?.value.kind === "none" && fixes.length > 0;
  const message = isNone ? `${fault.message}: a whole dim is written "None"` : fault.message;
  const place = args[fault.argument]?.span ?? span;
  return context.raise(fault.kind, message, place, fixes.length > 0 ? { fixes } : {});
}

/** Fixes for a layout that is called with an unknown or repeated alias, or with a bare `None`. */
function fixesOf(spec: LayoutSpec, args: readonly Argument[], fault: Fault): readonly Fix[] {
  const wrong = args[fault.argument];
  if (wrong?.value.kind === "none") return quotedNone(args);
  if (wrong?.value.kind !== "str" || wrong.tree?.kind !== "literal") return [];
  const isKnown = spec.aliasName.includes(wrong.value.value);
  const used = args.flatMap(({ value }) => (value.kind === "str" ? [value.value] : []));
  const free = spec.aliasName.filter((alias) => !used.includes(alias));
  return [...(isKnown ? [] : free), "None"].slice(0, 4).map((alias) => ({
    title: `Write "${alias}"`,
    edits: [{ ...wrong.span, text: `"${alias}"` }],
  }));
}

/** The fix that writes a lone alias as a tuple of one. */
function asTuple({ value, span }: Argument, { source }: Context): readonly Fix[] {
  if (value.kind !== "str") return [];
  const written = source.slice(span.from, span.to);
  const isBracketed = written.startsWith("(") && written.endsWith(")");
  const text = `(${isBracketed ? written.slice(1, -1).trim() : written},)`;
  return [{ title: `Write ${text}`, edits: [{ ...span, text }] }];
}

/** Fixes for a wrong number of aliases: name up to 4 missing axes, or remove surplus names. */
function otherAliases(matrix: Argument, { value, tree }: Argument): readonly Fix[] {
  const [sizes, names] = [itemsOf(matrix.value) ?? [], itemsOf(value) ?? []];
  const [last, kept] = [tree?.items.at(-1), tree?.items[sizes.length - 1]];
  const missing = sizes.length - names.length;
  if (value.kind !== "tuple" || last === undefined) return [];
  if (missing < 0 && kept !== undefined) {
    const extra = names.slice(missing).map((name) => `"${textOf(name) ?? "?"}"`);
    const edit = { from: kept.span.to, to: last.span.to, text: sizes.length === 1 ? "," : "" };
    return [{ title: `Take ${extra.join(", ")} out`, edits: [edit] }];
  }
  if (missing < 1 || missing > 4) return [];
  const known = new Set(names.map(textOf));
  const free = sizes.map((_, at) => `axis${at}`).filter((name) => !known.has(name));
  const added = free.slice(-missing);
  const text = added.map((name) => `, "${name}"`).join("");
  const title = `Name the other axes ${added.map((name) => `"${name}"`).join(", ")}`;
  return [{ title, edits: [{ from: last.span.to, to: last.span.to, text }] }];
}

/** The fix that puts every bare `None` of a call in quotes. */
function quotedNone(args: readonly Argument[]): readonly Fix[] {
  const bare = args.filter(({ value }) => value.kind === "none");
  const edits = bare.map(({ span }) => ({ ...span, text: '"None"' }));
  return edits.length === 0 ? [] : [{ title: 'Write "None"', edits }];
}

function toDictMethod(layout: MindsporeLayout): HostFunction {
  return {
    kind: "host-function",
    name: "to_dict",
    call: (_args, context, span) => {
      if (layout.called === undefined)
        return context.raise("ValueError", "tensor_map is None", span);
      const { spec, called } = layout;
      return dictOf([
        ["device_matrix", tuple(spec.deviceMatrix.map(integer))],
        ["tensor_map", tuple(called.map.map(mapValue))],
        ["interleaved_parallel", { kind: "bool", value: spec.isInterleaved }],
        ["alias_name", tuple(spec.aliasName.map(text))],
        ["rank_list", { kind: "list", items: spec.rankList.map(integer) }],
      ]);
    },
  };
}

function plainDict({ spec, called }: MindsporeLayout): unknown {
  return {
    device_matrix: spec.deviceMatrix,
    tensor_map: called?.map ?? null,
    interleaved_parallel: spec.isInterleaved,
    alias_name: spec.aliasName,
    rank_list: spec.rankList,
  };
}

function mapValue(entry: MapEntry): Value {
  return typeof entry === "number" ? integer(entry) : tuple(entry.map(integer));
}

function toPlain(value: Value): Plain {
  switch (value.kind) {
    case "int":
      return { kind: "int", value: Number(value.value) };
    case "bool":
      return { kind: "int", value: value.value ? 1 : 0 };
    case "str":
      return { kind: "str", value: value.value };
    case "tuple":
    case "list":
      return { kind: value.kind, items: value.items.map(toPlain) };
    default:
      return { kind: "other", type: value.kind === "none" ? "NoneType" : value.kind };
  }
}
