import { type Checked, capitalized, passed } from "#core/diagnostics";
import type { PublishedFile, PublishedProgram } from "../format.ts";
import { notModelled, oneLine, refused, unknownOperators } from "../refused.ts";
import { tiledShardingsIn } from "./gspmd.ts";
import { lowerBlock } from "./lower.ts";
import type { Known, Lowering } from "./lowering.ts";
import { type Argument, type Module, ModuleFault, type Operation, readModule } from "./mlir.ts";
import { meshOf, placed, placedByTiles, tiledShardingIn } from "./shardings.ts";
import { ownDtype, tupleOf } from "./types.ts";
import { tensorValue, wholeText } from "./values.ts";
import { createWriter, freshName, type Writer } from "./writer.ts";

/**
 * Most bytes of a module; one with large constants written out is longer, and too large to draw.
 */
const mostBytes = 64 * 1024 * 1024;

/**
 * Reads a StableHLO module, as JAX prints it, as a program: counting loops become `for`, functions
 * called more than once become functions, shardings become placements on the mesh. An unsupported
 * operation becomes a registered function with its shapes.
 */
export function readStablehlo(
  file: PublishedFile,
  _choice: unknown = {},
  tell: (operators: number) => void = () => {},
): Checked<PublishedProgram> {
  const { name, size } = file;
  if (size > mostBytes) return refused(name, "a module has at most 64 MiB");
  const text = file.decode(file.bytes);
  if (text === undefined) return refused(name, "it is no text");
  return readModuleText(name, text, { format: "StableHLO", noun: "a module of StableHLO", tell });
}

/** Names for a module that was converted from another format. */
export interface ModuleSource {
  readonly format: string;
  readonly noun: string;
  readonly tell: (operators: number) => void;
}

/** Reads a module's text as a program. */
export function readModuleText(
  file: string,
  text: string,
  source: ModuleSource,
): Checked<PublishedProgram> {
  try {
    return passed(programOf(file, readModule(text), tiledShardingsIn(text), source));
  } catch (fault) {
    if (fault instanceof ModuleFault) return refused(file, fault.message);
    throw fault;
  }
}

function programOf(
  name: string,
  module: Module,
  tiledShardings: readonly string[],
  { format, noun, tell }: ModuleSource,
): PublishedProgram {
  const main = module.functions.get("main") ?? [...module.functions.values()][0];
  if (main === undefined) throw new ModuleFault("it has no function");
  const mesh = meshOf(module, tiledShardings);
  const writer = createWriter(mesh);
  for (const each of mesh.left) writer.left.add(each);
  const calls = callsIn(module);
  const lowering: Lowering = {
    module,
    writer,
    written: new Map(),
    calls,
    tell,
    depth: 0,
    steps: 0,
  };
  const known: Known = new Map();
  const given = main.args.filter(({ type }) => type !== undefined);
  for (const argument of given) writeArgument(writer, argument, known);
  const results = lowerBlock(lowering, main.operations, known);
  const texts = results.map(wholeText);
  for (const [at, text] of texts.entries()) {
    const sharding = shardingIn(main.resultAttributes[at] ?? "");
    const tiled = tiledShardingIn(main.resultAttributes[at] ?? "");
    const rank = results[at]?.type.shape.length ?? 0;
    if (tiled !== undefined && /^\w+$/u.test(text)) placedByTiles(writer, text, tiled, rank);
    if (sharding !== undefined && /^\w+$/u.test(text)) placed(writer, text, sharding);
  }
  const unknown = unknownOperators(writer.unknown);
  const left = notModelled([...writer.left]);
  const title = oneLine(module.name.replace(/^jit_+/u, "") || "module");
  const isNamed = given.some(({ where }) => where !== undefined);
  const lines = [
    `# ${title}: ${noun}, read from ${oneLine(name)}.`,
    ...(isNamed || format !== "StableHLO"
      ? []
      : ["# It has no names: write it with as_text(debug_info=True) for those."]),
    ...(isNamed && !given.some(isParameter)
      ? ["# No argument is called as parameters are: all are inputs."]
      : []),
    ...[...unknown, ...left].map(({ message }) => `# ${capitalized(message)}.`),
    `# Results: ${texts.map(oneLine).join(", ")}`,
    ...["import torch", "import torch.nn.functional as F", ""],
    ...(mesh.line === undefined ? [] : [mesh.line, ""]),
    ...writer.functions,
    ...writer.lines,
  ];
  const sentence = `${title}: ${given.length} arguments and ${lowering.steps} operations of ${format}.`;
  const notes = [...unknown, ...left];
  return { format, title, program: `${lines.join("\n")}\n`, sentence, notes };
}

/** Number of calls of each function in the file. */
function callsIn({ functions }: Module): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (operations: readonly Operation[]) => {
    for (const { name, text, regions } of operations) {
      const called = /call$/u.test(name) ? /@("[^"]*"|[\w.$-]+)/u.exec(text)?.[1] : undefined;
      const plain = called?.replaceAll('"', "");
      if (plain !== undefined) counts.set(plain, (counts.get(plain) ?? 0) + 1);
      for (const region of regions) count(region.operations);
    }
  };
  for (const each of functions.values()) count(each.operations);
  return counts;
}

/** Words in an argument's path that mark it as a parameter. */
const parameterWords = /(?:^|[^a-z])(?:params?|weights?|kernel|bias|embedding|scale)(?:[^a-z]|$)/iu;
const otherWords = /(?:^|[^a-z])(?:opt|opt_state|mu|nu|momentum|grads?|optimizer)(?:[^a-z]|$)/iu;

function isParameter({ where }: Argument): boolean {
  return where !== undefined && parameterWords.test(where) && !otherWords.test(where);
}

function writeArgument(writer: Writer, argument: Argument, known: Known): void {
  const { name, type, attributes, where } = argument;
  if (type === undefined) return;
  const own = freshName(writer, where === undefined ? name.replace("%", "") : argumentWord(where));
  const word = isParameter(argument) ? "Parameter" : "Tensor";
  writer.lines.push(`${own} = ${word}(${tupleOf(type.shape)}, "${ownDtype(type.dtype)}")`);
  known.set(name, tensorValue(own, type));
  const sharding = shardingIn(attributes);
  if (sharding !== undefined) placed(writer, own, sharding);
  const tiled = tiledShardingIn(attributes);
  if (tiled !== undefined) placedByTiles(writer, own, tiled, type.shape.length);
}

/** `params['params']['Dense_0']['kernel']` becomes `params_Dense_0_kernel`. */
function argumentWord(where: string): string {
  const parts = where.split(/\W+/u).filter(Boolean);
  return parts.filter((part, at) => part !== parts[at - 1]).join("_");
}

function shardingIn(attributes: string): string | undefined {
  return /sdy\.sharding = #sdy\.sharding(<@[\w.-]+, \[[^\]]*\][^>]*>)/u.exec(attributes)?.[1];
}
