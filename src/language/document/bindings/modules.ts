import type { Diagnostic, Span } from "#core/diagnostics";
import { library } from "#core/ir";
import {
  type Context,
  type HostFunction,
  type ModuleValue,
  nearestName,
  type Value,
} from "#language/python";
import type { BoundSystems } from "../bound-systems.ts";
import { writing } from "../fix.ts";
import { knownSize } from "../trace/size.ts";
import { assumedOf } from "./assumed.ts";
import type { Files } from "./files.ts";
import { namesGivenShapes } from "./given-shapes.ts";
import type { OpaqueOperators } from "./opaque-operators.ts";
import { isOfPython, pythonModule } from "./python-modules.ts";
import type { TensorBindings } from "./tensors.ts";
import {
  atTop,
  definedLater,
  importOf,
  isNamedImport,
  isSizeName,
  ownDefinition,
} from "./text-imports.ts";
import { hostFunction, none } from "./values/values.ts";

/** Operators that Python calls functions of its own by: `sum([1, 2])`. */
const pythonFunctions: ReadonlySet<string> = new Set(["abs", "float", "pow", "slice", "sum"]);

/** The assumed number of pieces where an unknown name is given as one. */
const assumedPieces = 2;

/** Modules of Python itself that hold only names for annotations and classes. */
const harmless: ReadonlySet<string> = new Set(["abc", "typing"]);

/** What the modules are made of. */
export interface ModuleParts {
  readonly tensors: TensorBindings;
  readonly opaque: OpaqueOperators;
  readonly systems: BoundSystems;
  readonly files: Files;
  /** Names that the text itself binds somewhere. */
  readonly bound: ReadonlyMap<string, Value>;
}

/** Where more names are undefined than these, they are no slips: each is held against all others. */
const mostGuesses = 200;

/** The names behind `self.` that a text assigns to somewhere. */
function attributesSetIn(source: string): ReadonlySet<string> {
  const found = source.matchAll(/\bself\.([\p{L}_][\p{L}\p{N}_]*)\s*=[^=]/gu);
  return new Set([...found].map(([, name = ""]) => name));
}

/** The modules that a program may import, and lenient readings of what it forgot to import. */
export class Modules {
  private readonly parts: ModuleParts;
  private readonly undefined = new Map<string, Value>();
  private readonly undefinedNames: {
    readonly name: string;
    readonly span: Span;
    readonly value: Value;
    /** Whether a method sets an attribute of that name. */
    readonly isOwn: boolean;
  }[] = [];

  private isNoted = false;
  /** The attributes that methods set, once they were looked for. */
  private ownNames: ReadonlySet<string> | undefined;
  /** The names that `shapes(…)` speaks of, once they were looked for. */
  private shapedNames: ReadonlySet<string> | undefined;

  constructor(parts: ModuleParts) {
    this.parts = parts;
  }

  /** The library by plain names: `matmul(x, w)`; Python's own functions keep theirs. */
  functions(): ReadonlyMap<string, Value> {
    const names = [...library.keys()].filter((name) => !pythonFunctions.has(name));
    return new Map(names.map((name) => [name, this.operation(name) ?? none]));
  }

  /** A module that is known here: a file of the text, a system's, or one of Python's own. */
  known(name: string): ModuleValue | undefined {
    const { files, systems } = this.parts;
    return files.module(name) ?? systems.module(name) ?? this.ofPython(name);
  }

  /** A module of one of the systems, or one that has no reach beyond the program. */
  knownStrictly(name: string): ModuleValue | undefined {
    const system = this.parts.systems.module(name);
    return system ?? (harmless.has(name) ? this.ofPython(name) : undefined);
  }

  private ofPython(name: string): ModuleValue | undefined {
    const { systems, opaque } = this.parts;
    return pythonModule(name, opaque, systems);
  }

  /** A module of an import; nothing where the text catches that there is none. */
  import(name: string, span: Span, context: Context): Value | undefined {
    const known = this.known(name);
    if (known !== undefined) return this.behindOwn(name, known);
    const dot = name.lastIndexOf(".");
    const around = this.known(name.slice(0, Math.max(0, dot)));
    if ((context.isGuarded && around?.isWhole) || around?.lacks?.(name.slice(dot + 1)))
      return undefined;
    const earlier = this.undefined.get(`import ${name}`);
    if (earlier !== undefined) return earlier;
    const say = () =>
      context.report({
        code: "document/unknown-module",
        severity: "warning",
        message: `the module "${name}" is not in this text: what it offers is assumed`,
        span,
        upstream: "ModuleNotFoundError",
      });
    if (!isNamedImport(context.source, span)) say();
    const module = this.unknownModule(name, say);
    this.undefined.set(`import ${name}`, module);
    return module;
  }

  /** A module of which the text has no file: its names are those that the text defines, or assumed. */
  private unknownModule(name: string, say: () => void): ModuleValue {
    const { files, opaque } = this.parts;
    const offered = new Map<string, Value>();
    // Nobody pastes a file of Python's own library.
    const isPythons = isOfPython(name);
    return {
      kind: "module",
      name,
      attribute: (attribute, context, span) => {
        const path = `${name.replace(/\.$/, "")}.${attribute}`;
        // After `import a.b` the name `a.b` is that module, whatever the text calls `b`.
        const module = files.module(path) ?? this.undefined.get(`import ${path}`);
        if (module !== undefined) return module;
        const own = isPythons ? undefined : ownDefinition(attribute, context);
        if (own !== undefined) {
          this.noteOwn(attribute, span, context);
          return own;
        }
        if (offered.size === 0) say();
        const isDefined = (inner: string) => {
          const found = context.ownName(inner);
          return found?.kind === "class" || found?.kind === "function" ? found : undefined;
        };
        const value = offered.get(attribute) ?? opaque.assumed(attribute, { member: isDefined });
        offered.set(attribute, value);
        return value;
      },
    };
  }

  /** A module of a package that a system stands in for: a definition of the text comes before it. */
  private behindOwn(name: string, known: ModuleValue): ModuleValue {
    if (!this.parts.systems.standsIn(name)) return known;
    return {
      ...known,
      attribute: (attribute, context, span) => {
        const own = this.parts.bound.get(attribute) ?? definedLater(attribute, context);
        if (own !== undefined) this.noteOwn(attribute, span, context);
        return own ?? known.attribute(attribute, context, span);
      },
    };
  }

  /** Says once in a text without headers that they tell its files apart. */
  private noteOwn(name: string, span: Span, context: Context): void {
    if (this.parts.files.areSaid || this.isNoted) return;
    this.isNoted = true;
    context.report({
      code: "document/files-in-one",
      severity: "info",
      message: `"${name}" is read as the one that this text has; a line "# file: name.py" above each file tells them apart`,
      span,
    });
  }

  /** A name that the program uses without having bound it. */
  undefinedName(name: string, span: Span, context: Context): Value {
    const earlier = this.undefined.get(name);
    if (earlier !== undefined) return earlier;
    const value = this.usual(name, span, context) ?? this.guess(name, span, context);
    this.undefined.set(name, value);
    return value;
  }

  private usual(name: string, span: Span, context: Context): Value | undefined {
    const usual = this.parts.systems.usualName(name, context.source);
    const module = usual && this.known(usual.module);
    if (usual === undefined || module === undefined) return undefined;
    const value = usual.name === undefined ? module : module.attribute(usual.name, context, span);
    if (value === undefined) return undefined;
    const statement = importOf(name, usual);
    const what = usual.name === undefined ? usual.module : `${usual.module}.${usual.name}`;
    context.report({
      code: "document/missing-import",
      severity: "warning",
      message: `"${name}" is used without an import: read as ${what}`,
      span,
      upstream: "NameError",
      fixes: [atTop(`Write ${statement}`, statement)],
    });
    return value;
  }

  private guess(name: string, span: Span, context: Context): Value {
    const { bound, opaque, systems } = this.parts;
    const isGuessed = this.undefinedNames.length < mostGuesses;
    const near = () => nearestName(name, [...bound.keys(), ...systems.usualNames.keys()]);
    const meant = isGuessed ? near() : undefined;
    const value =
      meant === undefined ? undefined : (bound.get(meant) ?? this.usualValue(meant, span, context));
    if (meant !== undefined && value !== undefined) {
      context.report({
        code: "document/misspelt-name",
        severity: "warning",
        message: `"${name}" is not defined: read as "${meant}"`,
        span,
        upstream: "NameError",
        fixes: [{ title: `Write ${meant}`, edits: [{ ...span, text: meant }] }],
      });
      return value;
    }
    this.shapedNames ??= namesGivenShapes(context.source);
    const isTensor = this.shapedNames.has(name);
    const assumed = opaque.assumed(name, { isUndefined: true, isTensor });
    this.ownNames ??= attributesSetIn(context.source);
    const isOwn = this.ownNames.has(name);
    this.undefinedNames.push({ name, span, value: assumed, isOwn });
    return assumed;
  }

  /** Says which names the text does not define, and writes what they were taken for. */
  reportUndefined(): readonly Diagnostic[] {
    return this.undefinedNames.map(({ name, span, value, isOwn }): Diagnostic => {
      const line = this.definition(name, value);
      const what =
        assumedOf(value)?.definition === undefined
          ? "it is assumed"
          : "what it makes has no known shape";
      const own = isOwn ? [writing(span, `self.${name}`)] : [];
      const fixes =
        line === undefined ? own : [...own, atTop(`Write ${line.split("\n").at(-1)}`, line)];
      return {
        code: "document/undefined-name",
        severity: "warning",
        message: `"${name}" is not defined in this text${isOwn ? `, only "self.${name}"` : ""}: ${what}`,
        span,
        upstream: "NameError",
        ...(fixes.length > 0 && { fixes }),
      };
    });
  }

  /** A line that defines a name as it was taken; none for what is used as an object. */
  private definition(name: string, value: Value): string | undefined {
    const { used, definition } = assumedOf(value) ?? {};
    if (used === "called") return definition ?? `def ${name}(x, *more): return x`;
    return used === undefined ? `${name} = ${this.standIn(name, value)}` : undefined;
  }

  private standIn(name: string, value: Value): string {
    const shape = this.parts.tensors.assumedShape(name)?.map(knownSize);
    if (shape?.every((size) => size !== undefined)) {
      return `Tensor((${shape.join(", ")}${shape.length === 1 ? "," : ""}))`;
    }
    if (!isSizeName(name)) return "...";
    return String(knownSize(assumedOf(value)?.size ?? assumedPieces) ?? assumedPieces);
  }

  private usualValue(name: string, span: Span, context: Context): Value | undefined {
    const usual = this.parts.systems.usualNames.get(name);
    const module = usual && this.known(usual.module);
    return usual?.name === undefined ? module : module?.attribute(usual.name, context, span);
  }

  private operation(name: string): HostFunction | undefined {
    const entry = library.get(name);
    if (entry === undefined) return undefined;
    return hostFunction(name, (args, context, span) =>
      this.parts.tensors.call(entry, { op: name, reducesInside: false }, args, context, span),
    );
  }
}
