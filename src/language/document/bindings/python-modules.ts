import type { ModuleValue, Value } from "#language/python";
import type { BoundSystems } from "../bound-systems.ts";
import argparse from "./argparse.py?raw";
import { assumedValue } from "./assumed.ts";
import { inspectWord } from "./introspection.ts";
import type { OpaqueOperators } from "./opaque-operators.ts";
import { splitWord } from "./regular-expressions.ts";
import { randomModule } from "./seeded-random.ts";
import { hostFunction, namespace, none, passedOn, text, textOf } from "./values/values.ts";

/** Modules of Python and usual packages whose import needs no warning: a graph ignores them. */
const quiet: ReadonlySet<string> = new Set(
  [
    "abc collections collections.abc contextlib copy enum functools inspect itertools json",
    "os os.path pathlib re sys time types typing typing_extensions warnings",
    "flash_attn apex triton tqdm pytest",
  ].flatMap((line) => line.split(" ")),
);

/** Further modules of Python's standard library. */
const library: ReadonlySet<string> = new Set(
  [
    "ast asyncio base64 bisect builtins cmath concurrent configparser csv ctypes datetime decimal",
    "difflib dis email fnmatch fractions ftplib gc getpass glob gzip hashlib heapq html http",
    "importlib io locale math multiprocessing numbers operator pdb pickle pkgutil platform",
    "pprint queue random resource sched secrets select shelve shlex shutil signal socket sqlite3 ssl",
    "stat statistics string struct subprocess sysconfig tarfile tempfile textwrap threading timeit",
    "tokenize traceback tracemalloc unittest urllib uuid weakref xml zipfile zlib",
  ].flatMap((line) => line.split(" ")),
);

/** Common packages for plots, logs, files or numbers. */
const installed: ReadonlySet<string> = new Set(
  [
    "absl albumentations click cv2 fire h5py hydra imageio logging loguru matplotlib mlflow nltk",
    "omegaconf",
    "pandas PIL psutil requests rich scipy seaborn sentencepiece skimage sklearn tensorboard",
    "tensorboardX tiktoken tokenizers typer wandb yaml",
  ].flatMap((line) => line.split(" ")),
);

/**
 * Whether a module belongs to Python's standard library or a common package, so that no file of the
 * text defines it.
 */
export function isOfPython(name: string): boolean {
  const [first = ""] = name.split(".");
  return library.has(first) || quiet.has(first) || installed.has(first);
}

/**
 * A module that is imported without a warning. Its members are assumed, except a few that models
 * need; `undefined` for other modules.
 */
export function pythonModule(
  name: string,
  opaque: OpaqueOperators,
  systems: Pick<BoundSystems, "module">,
): ModuleValue | undefined {
  if (name === "argparse") return argumentModule(opaque);
  if (name === "_arguments") return unsaidModule(opaque);
  if (name === "random") return randomModule(opaque);
  if (name === "asyncio")
    return namespace(name, (attribute) => awaited(attribute) ?? opaque.assumed(attribute));
  if (name === "inspect")
    return namespace(
      name,
      (attribute) => inspectWord(attribute, opaque) ?? opaque.assumed(attribute),
    );
  if (name === "packaging")
    return namespace(name, (attribute) =>
      attribute === "version" ? systems.module("packaging.version") : opaque.assumed(attribute),
    );
  const [first = ""] = name.split(".");
  if (installed.has(first))
    return namespace(name, (attribute) => besideGraphs(`${name}.${attribute}`));
  if (!quiet.has(name) && !library.has(first)) return undefined;
  const split = name === "re" ? splitWord(opaque.assumed("split", { isUnsaid: true })) : undefined;
  return namespace(name, (attribute) =>
    attribute === "split" && split !== undefined
      ? split
      : opaque.assumed(attribute, { isUnsaid: true }),
  );
}

/**
 * `asyncio` functions that run a coroutine. The coroutine already ran when it was called, so they
 * return its result.
 */
function awaited(name: string): Value | undefined {
  if (name === "gather")
    return hostFunction(name, (args) => {
      const made = args.filter((each) => each.name === undefined);
      return { kind: "list", items: made.map(({ value }) => value) };
    });
  return ["run", "create_task", "ensure_future", "wait_for", "shield"].includes(name)
    ? passedOn(name)
    : undefined;
}

/**
 * Function of a package for plots, logs or files: its arguments are not part of a graph. For an
 * image the mode it was converted to is kept.
 */
function besideGraphs(path: string, mode?: string): Value {
  return assumedValue(path, {
    isUnsaid: true,
    member: (name) => (name === "mode" && mode !== undefined ? text(mode) : undefined),
    call: (self, [first]) => {
      const made = self.name.endsWith(".convert") ? textOf(first?.value) : undefined;
      return besideGraphs(`${self.name}()`, made);
    },
    operate: () => undefined,
  });
}

/** Module `argparse`; the classes that texts use are written in Python. */
function argumentModule(opaque: OpaqueOperators): ModuleValue {
  let loaded: ReadonlyMap<string, Value> | undefined;
  return {
    kind: "module",
    name: "argparse",
    attribute: (attribute, context) => {
      loaded ??= context.library("argparse", argparse);
      return loaded.get(attribute) ?? opaque.assumed(attribute, { isUnsaid: true });
    },
  };
}

/**
 * Module `_arguments` of the `argparse` stand-in: values of command-line arguments that nobody
 * gives.
 */
function unsaidModule(opaque: OpaqueOperators): ModuleValue {
  const unsaid = hostFunction("unsaid", ([name]) =>
    opaque.assumed(textOf(name?.value) ?? "", { isUnsaid: true }),
  );
  const sayFirst = hostFunction("say_first", ([name, others], context, span) => {
    context.report({
      code: "document/first-command",
      severity: "info",
      message: `the command "${textOf(name?.value)}" is run; the text has others: ${textOf(others?.value)}`,
      span,
    });
    return none;
  });
  return namespace("_arguments", (name) => (name === "unsaid" ? unsaid : sayFirst));
}
