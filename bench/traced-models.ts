import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Compiled, compileDocument, createSystemSteps } from "#compile";
import { hasErrors } from "#core/diagnostics";
import type { Graph, Tensor, TensorId } from "#core/ir";
import { fieldOf } from "#core/records";
import { runReference } from "#execute/reference";
import { runPlan } from "#execute/verify";
import { readDocument } from "#systems";
import { elements, followed, type Place, type Step } from "./followed.ts";

/**
 * Checks traced model families: small with their weights, and at a published size. Their texts must
 * have no errors, and every parameter and result PyTorch's shape. Each operator, given PyTorch's
 * operands, must give PyTorch's result within the bound derived for single precision. The whole run
 * must be as close, on the unsharded reference and, with the batch sharded over two devices, on the
 * CPU engine, whose devices must give the same numbers. Usage: `traced-models PYTHON FOLDER [small
 * | full] [family …]`; `TRACED` names a folder of texts traced before. Prints a line of counts at
 * the end.
 */
const [python = "python3", folder = "traced-models", ...families] = process.argv.slice(2);

interface Facts {
  readonly refused?: string;
  readonly seconds: number;
  readonly parameters: Readonly<Record<string, readonly number[]>>;
  readonly count: number;
  readonly result?: readonly number[];
  readonly inputs?: readonly string[];
  readonly numbers?: Readonly<Record<string, Place>>;
  /** PyTorch's values of each expression of the text, in order: its span and tensors. */
  readonly steps?: readonly Step[];
}

const tally = { passed: 0, failed: 0 };

function note(isRight: boolean, line: string): void {
  tally[isRight ? "passed" : "failed"] += 1;
  console.log(`${isRight ? "passed" : "failed"}: ${line}`);
}

/**
 * Differences between the parameters of a text and of PyTorch's model; empty when there are none.
 */
function apart(graph: Graph, { parameters, count }: Facts): readonly string[] {
  const own = new Map(
    graph.tensors
      .filter(({ role }) => role === "parameter")
      .map((tensor) => [pathOf(tensor), tensor.shape]),
  );
  const total = [...own.values()].reduce((sum, shape) => sum + elements(shape), 0);
  const faults = Object.entries(parameters).flatMap(([path, shape]) => {
    const found = own.get(path);
    own.delete(path);
    return String(found) === String(shape) ? [] : [`${path} is ${found}, not ${shape}`];
  });
  const strangers = [...own.keys()].map((path) => `PyTorch has no ${path}`);
  const counted = total === count ? [] : [`${total} parameters, not ${count}`];
  return [...faults, ...strangers, ...counted];
}

function pathOf({ name }: Tensor): string {
  return name.replaceAll(/\[(\d+)\]/gu, ".$1");
}

/** The compiled text of a model, and its errors as text. */
function compiledText(path: string): { readonly compiled: Compiled; readonly errors: string } {
  const compiled = compileDocument(readDocument(readFileSync(path, "utf8")));
  const errors = compiled.diagnostics.filter(({ severity }) => severity === "error");
  return { compiled, errors: errors.map(({ message }) => message).join("; ") };
}

/** Checks a text against the facts of its model. */
function checkText(name: string, path: string, facts: Facts): Compiled | undefined {
  if (facts.refused !== undefined || !existsSync(path)) {
    note(false, `${name}: ${facts.refused ?? "no text"}`);
    return undefined;
  }
  const begun = performance.now();
  const { compiled, errors } = compiledText(path);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const faults = errors === "" ? apart(compiled.graph, facts) : [errors];
  const lines = readFileSync(path, "utf8").split("\n").length;
  note(
    faults.length === 0,
    `${name}: ${faults.slice(0, 3).join("; ") || `${facts.count} parameters, ${lines} lines, traced in ${facts.seconds} s, read in ${seconds} s`}`,
  );
  return errors === "" ? compiled : undefined;
}

/** Numbers of the leaves by id, or the name of the first leaf without numbers. */
function leavesOf(graph: Graph, { numbers = {} }: Facts, all: Float32Array, text: string) {
  const found = new Map<TensorId, Float64Array>();
  for (const tensor of graph.tensors) {
    if (tensor.producer !== undefined) continue;
    const [at, shape] = numbers[pathOf(tensor)] ?? numbers[tensor.name] ?? [];
    const isGiven = at !== undefined && String(shape) === String(tensor.shape);
    const own = isGiven ? all.subarray(at, at + elements(tensor.shape)) : written(tensor, text);
    if (own === undefined) return tensor.name;
    found.set(tensor.id, Float64Array.from(own));
  }
  return found;
}

/**
 * Numbers of a tensor that the text creates without inputs: an arange, or one number everywhere.
 */
function written({ shape, span }: Tensor, text: string): readonly number[] | undefined {
  const [, word, rest = ""] =
    /^torch\.(\w+)\((.*)/u.exec(text.slice(span?.from ?? text.length)) ?? [];
  const said = /^(?:[[(][^\])]*[\])]|\w+), (?:float\(")?([-\w.]+)/u.exec(rest)?.[1];
  const full = Number(said?.replace("inf", "Infinity") ?? Number.NaN);
  const same = { ones: 1, ones_like: 1, zeros: 0, zeros_like: 0, full, full_like: full };
  const value = fieldOf(same, word ?? "");
  if (word !== "arange" && (value === undefined || Number.isNaN(value))) return undefined;
  return Array.from({ length: elements(shape) }, (_, at) => value ?? at);
}

/** Compares PyTorch's numbers with the text's, unsharded and on the CPU engine. */
function checkNumbers(name: string, path: string, compiled: Compiled, facts: Facts): void {
  const bytes = readFileSync(path);
  const all = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const { graph } = compiled;
  const text = readFileSync(path.replace("numbers.bin", "small.py"), "utf8");
  const leaves = leavesOf(graph, facts, all, text);
  const [at, shape] = facts.numbers?.["result"] ?? [0, []];
  const result = resultOf(graph, text);
  if (typeof leaves === "string") note(false, `${name}: no numbers for ${leaves}`);
  else if (result === undefined || String(result.shape) !== String(shape))
    note(false, `${name}: its result is ${result?.shape}, not ${shape}`);
  else {
    const wanted = all.subarray(at, at + elements(shape));
    const { tensors, assumed } = runReference(graph, leaves, "singles");
    const made = tensors.get(result.id);
    if (assumed[0] !== undefined) note(false, `${name}: ${assumed[0].name} has no body`);
    else if (made === undefined) note(false, `${name}: no result`);
    else {
      const { steps = [] } = facts;
      const { isHeld, said: own } = followed(graph, leaves, { steps, numbers: all, text });
      note(isHeld, `${name}, each of ${graph.operators.length} operators: ${own}`);
      const { isWithin, said } = compared(wanted, made.values, made.errors);
      note(isWithin, `${name} on the reference: ${said}`);
      onEngine(name, compiled, { leaves, result: result.id }, (values) =>
        compared(wanted, values, made.errors),
      );
    }
  }
}

/**
 * The result of the text's last call of the model; the graph's outputs also include unused results
 * of layers.
 */
function resultOf(graph: Graph, text: string): Tensor | undefined {
  const name = text.match(/^(\w+)(?:, \w+)* = model\(/mu)?.[1];
  return graph.tensors.find((tensor) => tensor.name === name);
}

type Compared = { readonly isWithin: boolean; readonly said: string };

/**
 * Compares numbers with PyTorch's: within their bounds, and close relative to the largest number.
 */
function compared(wanted: Float32Array, values: Float64Array, errors: Float64Array): Compared {
  const off = wanted.map((value, k) => Math.abs(value - (values[k] ?? Number.NaN)));
  const most = wanted.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0);
  const worst = off.reduce((peak, value) => Math.max(peak, value), 0);
  const widest = errors.reduce((peak, error) => Math.max(peak, error), 0);
  const isWithin = off.every((value, k) => value <= bound(errors[k])) && worst <= close * most;
  const far = (worst / most).toExponential(1);
  const free = errors.reduce((count, error) => count + (Number.isFinite(error) ? 0 : 1), 0);
  const bounds = `bounds up to ${(widest / most).toExponential(1)}`;
  const said = free === 0 ? bounds : `no bound is derived for ${free} of ${errors.length}`;
  return { isWithin, said: `within ${far} of the largest number, ${said}` };
}

/** Largest difference allowed relative to the largest number, whatever the bounds. */
const close = 1e-4;

/** Runs the same plan on its devices, with the model's numbers. */
function onEngine(
  name: string,
  { graph, plan, program }: Compiled,
  {
    leaves,
    result: id,
  }: { readonly leaves: ReadonlyMap<TensorId, Float64Array>; readonly result: TensorId },
  beside: (values: Float64Array) => Compared,
): void {
  const own = graph.tensors.flatMap(({ id, name: tensor }) => {
    const numbers = leaves.get(id);
    return numbers === undefined ? [] : [{ tensor, numbers: [...numbers] }];
  });
  const run = runPlan(plan, program, {
    ...{ seed: 1, values: "floats", precision: "full", own, sizes: "own" },
    ...{ mostWork: Number.MAX_SAFE_INTEGER, systems: createSystemSteps() },
  });
  const result = run.ok ? run.value.ran.wanted.get(id) : undefined;
  if (!run.ok || result === undefined) {
    note(false, `${name} on the CPU engine: ${run.diagnostics.at(-1)?.message ?? "no result"}`);
    return;
  }
  const { isWithin } = beside(result.values);
  const { first, equal } = run.value;
  const what = first === undefined ? "" : `, different at ${first.tensor}`;
  note(equal && isWithin, `${name} on the CPU engine, on ${program.devices.length} devices${what}`);
}

/** Without a derived bound, only the difference relative to the largest number is checked. */
function bound(error: number | undefined): number {
  return error === undefined || Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
}

mkdirSync(folder, { recursive: true });
const script = join("engines", "trace_models.py");
if (!process.env.TRACED) spawnSync(python, [script, folder, ...families], { stdio: "inherit" });
for (const name of readdirSync(folder)) {
  const place = join(folder, name);
  if (!existsSync(join(place, "facts.json"))) continue;
  const facts: { readonly small?: Facts; readonly full?: Facts } = JSON.parse(
    readFileSync(join(place, "facts.json"), "utf8"),
  );
  if (facts.full !== undefined)
    checkText(`${name} as published`, join(place, "full.py"), facts.full);
  if (facts.small === undefined) continue;
  const compiled = checkText(`${name} small`, join(place, "small.py"), facts.small);
  if (compiled !== undefined && !hasErrors(compiled.diagnostics))
    checkNumbers(name, join(place, "numbers.bin"), compiled, facts.small);
}
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0;
