import { type Checked, failed, passed } from "#core/diagnostics";
import { type Instance, parseMemoryFormula, solveInstance } from "#planner";
import { type Answer, type Arguments, badRequest } from "./answer.ts";

type Fields = Readonly<Record<string, unknown>>;

/** `optimize` of an abstract `instance`: nodes with seconds and memory, edges with tables. */
export function instanceAnswer({ instance, memoryLimit }: Arguments): Answer {
  const read = readInstance(instance);
  if (!read.ok) return { ok: false, diagnostics: read.diagnostics };
  if (memoryLimit !== undefined && !(typeof memoryLimit === "number" && memoryLimit >= 0)) {
    return badRequest('"memoryLimit" of an instance is a number from 0 on, in its own units');
  }
  const limit = memoryLimit;
  try {
    const outcome = solveInstance(read.value, limit);
    if (outcome.kind === "found") {
      const { seconds, choices, memory } = outcome;
      return {
        ok: true,
        objective: seconds,
        bound: seconds,
        gap: 0,
        choices,
        memory,
        diagnostics: [],
      };
    }
    if (outcome.kind === "impossible")
      return refusedAnswer("planner/no-plan", "no plan is possible");
    const { minimum } = outcome;
    const message = `no plan holds at most ${limit}: the leanest takes ${minimum}`;
    return { ...refusedAnswer("infeasible-memory", message), minimum };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return refusedAnswer("planner/too-large", `this is too large to plan: ${error.message}`);
  }
}

function refusedAnswer(code: DiagnosticCode, message: string): Answer {
  return { ok: false, code, diagnostics: [{ code, severity: "error", message }] };
}

function readInstance(given: unknown): Checked<Instance> {
  const { nodes, edges = [], memory, ...others } = fieldsOf(given);
  const [other] = Object.keys(others);
  if (other !== undefined) return refused(`an instance has nodes, edges and memory, no "${other}"`);
  if (memory !== undefined && typeof memory !== "string") {
    return refused('"memory" of an instance is a formula, a text');
  }
  if (!Array.isArray(nodes) || !Array.isArray(edges)) return refused('"nodes" must be a list');
  const readNodes = nodes.map(readNode);
  const known = readNodes.flatMap((node) => (node === undefined ? [] : [node]));
  if (known.length < nodes.length) return refused('every node has a "name" and "seconds"');
  const names = known.map(({ name }) => name);
  const readEdges = edges.map((edge) => readEdge(edge, known));
  const sound = readEdges.flatMap((edge) => (edge === undefined ? [] : [edge]));
  if (sound.length < edges.length) {
    return refused(`every edge leads from one of ${names} to another, with a table of "seconds"`);
  }
  const sums = [...new Set(known.flatMap((node) => node.memory.flatMap(Object.keys)))];
  const formula = parseMemoryFormula(typeof memory === "string" ? memory : sums.join("+") || "0");
  if (!formula.ok) return formula;
  return passed({ nodes: known, edges: sound, memory: formula.value });
}

function readNode(given: unknown): Instance["nodes"][number] | undefined {
  const { name, seconds, memory = [] } = fieldsOf(given);
  if (typeof name !== "string" || !isNumbers(seconds) || !Array.isArray(memory)) return undefined;
  const sums = memory.map((each) => fieldsOf(each));
  const isSound = sums.every((each) => isNumbers(Object.values(each)));
  return isSound
    ? { name, seconds, memory: sums as Instance["nodes"][number]["memory"] }
    : undefined;
}

function readEdge(given: unknown, nodes: Instance["nodes"]): Instance["edges"][number] | undefined {
  const { from, to, seconds } = fieldsOf(given);
  const [one, other] = [from, to].map((name) => nodes.findIndex((node) => node.name === name));
  if (one === undefined || other === undefined || one < 0 || other < 0) return undefined;
  if (one === other || !Array.isArray(seconds) || !seconds.every(isNumbers)) return undefined;
  const [rows, columns] = [nodes[one]?.seconds.length, nodes[other]?.seconds.length];
  const isWhole = seconds.length === rows && seconds.every((row) => row.length === columns);
  return isWhole ? { from: one, to: other, seconds } : undefined;
}

function fieldsOf(given: unknown): Fields {
  return typeof given === "object" && given !== null ? (given as Fields) : {};
}

/** Non-negative numbers: otherwise a partial plan could improve by adding nodes. */
function isNumbers(given: unknown): given is readonly number[] {
  return Array.isArray(given) && given.every((each) => typeof each === "number" && each >= 0);
}

function refused(message: string): Checked<never> {
  return failed(...badRequest(message).diagnostics);
}
