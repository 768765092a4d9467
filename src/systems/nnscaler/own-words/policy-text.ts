import type { DeviceMesh } from "#core/mesh";
import { append } from "#core/records";

/** The cuts of one node of nnScaler's graph in a plan. */
export interface NodeCuts {
  /** The name of its function in the graph. */
  readonly name: string;
  /** The path of the layer that calls it. */
  readonly layer: string;
  /** For each mesh axis the input and the dim that it cuts; `undefined` for replicas. */
  readonly cuts: readonly (readonly [idx: number, dim: number] | undefined)[];
}

/** The lines of a policy's body, and the imports that they need. */
export interface PolicyText {
  readonly lines: readonly string[];
  readonly imports: readonly { readonly name: string; readonly line: string }[];
}

const multiref = {
  name: "auto_multiref",
  line: "from nnscaler.policies import auto_multiref",
};

/**
 * A policy body that looks up the cuts of every node by the simplest sufficient key: the name of
 * its function, else also its layer, else also the number of its earlier calls.
 */
export function policyBody(
  nodes: readonly NodeCuts[],
  mesh: DeviceMesh,
  graph: string,
): PolicyText {
  const sizes = mesh.axes.flatMap(({ size }) => (size > 1 ? [size] : []));
  const table = [byName, byLayer, byCall].map((make) => make(nodes)).find(isDecided);
  if (table === undefined) return { lines: [`return ${graph}`], imports: [] };
  const rows = table.rows.flatMap(({ key, cuts }) => {
    const isWhole = cuts.every((cut) => cut === "None");
    return isWhole ? [] : [`    ${key}: ${table.isByCall ? callsText(cuts) : cuts[0]},`];
  });
  const places = mesh.devices.every((device, at) => device === at)
    ? `enumerate(pieces)`
    : `zip([${mesh.devices.join(", ")}], pieces)`;
  const key = table.isByName ? "node.name" : "(layer, node.name)";
  const found = table.isByCall ? `next(cuts.get(${key}, iter(())), None)` : `cuts.get(${key})`;
  const lines = [
    "cuts = {  # the input and its dim that are cut; what is not here runs on every device",
    ...rows,
    "}",
    `auto_multiref(${graph})`,
    `for node in ${graph}.nodes():`,
    ...(table.isByName ? [] : layerLines),
    ...(sizes.length === 1 ? oneLevel(found, sizes[0] ?? 1, graph) : levels(found, sizes, graph)),
    `    for device, piece in ${places}:`,
    `        ${graph}.assign(piece, device)`,
    `return ${graph}`,
  ];
  return { lines, imports: [multiref] };
}

/** Computes a layer's path with every number replaced by `*`, so that equal layers share a key. */
const layerLines = [
  '    path = list(node.module_stack or [""])[-1].split(".")',
  '    layer = ".".join("*" if part.isdigit() else part for part in path)',
];

function oneLevel(found: string, size: number, graph: string): readonly string[] {
  return [
    `    cut = ${found}`,
    "    if cut is None:",
    `        pieces = ${graph}.replicate(node, times=${size})`,
    "    else:",
    `        pieces = ${graph}.partition(node, node.algorithm("dim"), idx=cut[0], dim=cut[1], num=${size})`,
  ];
}

function levels(found: string, sizes: readonly number[], graph: string): readonly string[] {
  const none = `[${sizes.map(() => "None").join(", ")}]`;
  return [
    "    pieces = [node]",
    `    for cut, num in zip(${found} or ${none}, [${sizes.join(", ")}]):`,
    "        parts = []",
    "        for piece in pieces:",
    "            if cut is None:",
    `                parts += ${graph}.replicate(piece, times=num)`,
    "            else:",
    `                parts += ${graph}.partition(piece, piece.algorithm("dim"), idx=cut[0], dim=cut[1], num=num)`,
    "        pieces = parts",
  ];
}

/** A table in which a policy looks up cuts. */
interface Table {
  readonly isByName: boolean;
  readonly isByCall: boolean;
  /** For each key, the cuts of its nodes, in their order. */
  readonly rows: readonly { readonly key: string; readonly cuts: readonly string[] }[];
}

function isDecided({ rows, isByCall }: Table): boolean {
  return isByCall || rows.every(({ cuts }) => cuts.every((cut) => cut === cuts[0]));
}

function byName(nodes: readonly NodeCuts[]): Table {
  return { isByName: true, isByCall: false, rows: rowsOf(nodes, ({ name }) => quoted(name)) };
}

function byLayer(nodes: readonly NodeCuts[]): Table {
  return { isByName: false, isByCall: false, rows: rowsOf(nodes, layerKey) };
}

function byCall(nodes: readonly NodeCuts[]): Table {
  return { isByName: false, isByCall: true, rows: rowsOf(nodes, layerKey) };
}

function layerKey({ name, layer }: NodeCuts): string {
  return `(${quoted(starred(layer))}, ${quoted(name)})`;
}

function starred(path: string): string {
  const parts = path.split(".").map((part) => (/^\d+$/u.test(part) ? "*" : part));
  return parts.join(".");
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function rowsOf(nodes: readonly NodeCuts[], keyOf: (node: NodeCuts) => string): Table["rows"] {
  const rows = new Map<string, string[]>();
  for (const node of nodes) {
    const key = keyOf(node);
    append(rows, key, cutText(node.cuts));
  }
  return [...rows].map(([key, cuts]) => ({ key, cuts }));
}

/** The text of a node's cuts: `(1, 0)`, for several axes `[(1, 0), None]`. */
function cutText(cuts: NodeCuts["cuts"]): string {
  const texts = cuts.map((cut) => (cut === undefined ? "None" : `(${cut[0]}, ${cut[1]})`));
  const isWhole = cuts.every((cut) => cut === undefined);
  return isWhole ? "None" : texts.length === 1 ? (texts[0] ?? "None") : `[${texts.join(", ")}]`;
}

/** An iterator over the cuts of successive calls: `iter([(1, 0)] * 95 + [(0, 1)])`. */
function callsText(cuts: readonly string[]): string {
  const runs: { readonly cut: string; count: number }[] = [];
  for (const cut of cuts) {
    const last = runs.at(-1);
    if (last?.cut === cut) last.count += 1;
    else runs.push({ cut, count: 1 });
  }
  const parts = runs.map(({ cut, count }) => (count === 1 ? `[${cut}]` : `[${cut}] * ${count}`));
  return `iter(${parts.join(" + ")})`;
}
