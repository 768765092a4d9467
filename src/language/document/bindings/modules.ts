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

/** Library operators whose names Python already uses for its own functions: `sum([1, 2])`. */
const pythonFunctions: ReadonlySet<string> = new Set(["abs", "float", "pow", "slice", "sum"]);

/** Assumed number of pieces if it is given by an unknown name. */
const assumedPieces = 2;

/** Python's own modules that offer only annotations and base classes. */
const harmless: ReadonlySet<string> = new Set(["abc", "typing"]);

/** Parts that the importable modules need. */
export interface ModuleParts {
  readonly tensors: TensorBindings;
  readonly opaque: OpaqueOperators;
  readonly systems: BoundSystems;
  readonly files: Files;
  /** Names that the text binds. */
  readonly bound: ReadonlyMap<string, Value>;
}

/**
 * Number of undefined names up to which spelling mistakes are looked for; each name is compared
 * with all known names.
 */
const mostGuesses = 200;

/** Names of attributes that the text assigns on `self`. */
function attributesSetIn(source: string): ReadonlySet<string> {
  const found = source.matchAll(/\bself\.([\p{L}_][\p{L}\p{N}_]*)\s*=[^=]/gu);
  return new Set([...found].map(([, name = ""]) => name));
}

/**
 * The modules that a program may import, and lenient readings of names that it uses without an
 * import.
 */
export class Modules {
  private readonly parts: ModuleParts;
  private readonly undefined = new Map<string, Value>();
  private readonly undefinedNames: {
    readonly name: string;
    readonly span: Span;
    readonly value: Value;
    /** Whether the text assigns an attribute of this name on `self`. */
    readonly isOwn: boolean;
  }[] = [];

  private isNoted = false;
  /** Attributes that the text assigns on `self`, computed on first use. */
  private ownNames: ReadonlySet<string> | undefined;
  /** Names to which `shapes(…)` gives a shape, computed on first use. */
  private shapedNames: ReadonlySet<string> | undefined;

  constructor(parts: ModuleParts) {
    this.parts = parts;
  }

  /**
   * Library operators under plain names, such as `matmul(x, w)`, without names of Python's own
   * functions.
   */
  functions(): ReadonlyMap<string, Value> {
    const names = [...library.keys()].filter((name) => !pythonFunctions.has(name));
    return new Map(names.map((name) => [name, this.operation(name) ?? none]));
  }

  /** A known module: a file of the text, a system's module or one of Python's own. */
  known(name: string): ModuleValue | undefined {
    const { files, systems } = this.parts;
    return files.module(name) ?? systems.module(name) ?? this.ofPython(name);
  }

  /**
   * A system's module, or a harmless one of Python's own that has no effect outside the program.
   */
  knownStrictly(name: string): ModuleValue | undefined {
    const system = this.parts.systems.module(name);
    return system ?? (harmless.has(name) ? this.ofPython(name) : undefined);
  }

  private ofPython(name: string): ModuleValue | undefined {
    const { systems, opaque } = this.parts;
    return pythonModule(name, opaque, systems);
  }

  /** The module of an import; `undefined` if the text catches the failure of that import. */
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

  /**
   * A module that the text has no file for. Its attributes are the text's own definitions of that
   * name, or assumed values.
   */
  private unknownModule(name: string, say: () => void): ModuleValue {
    const { files, opaque } = this.parts;
    const offered = new Map<string, Value>();
    // A text never contains files of Python's own library.
    const isPythons = isOfPython(name);
    return {
      kind: "module",
      name,
      attribute: (attribute, context, span) => {
        const path = `${name.replace(/\.$/, "")}.${attribute}`;
        // After `import a.b` the name `a.b` is that module, even if the text defines a `b` itself.
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

  /**
   * A known module. If a system stands in for its package, definitions in the text take precedence.
   */
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

  /** Reports once, in a text without file headers, that headers would tell its files apart. */
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

  /** Diagnostics for undefined names, with a fix that writes the definition assumed for each. */
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

  /** A line that defines a name as the run assumed it; `undefined` for a name used as an object. */
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
