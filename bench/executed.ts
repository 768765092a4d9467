import { readFileSync } from "node:fs";
import { type Profiler, Session } from "node:inspector";
import { fileURLToPath } from "node:url";
import { compile } from "#compile";

/** Source files and functions executed by one compile. */
export interface Executed {
  readonly files: readonly string[];
  readonly functions: number;
}

/** Most functions that a developer has to follow to understand the compile of a short text. */
export const executedAim = 110;

/** A program of ten lines: two matmuls with strategies and a placement. */
const tenLines = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 16))
w1 = Parameter((16, 32))
w2 = Parameter((32, 16))
h = matmul(x, w1)
y = matmul(h, w2)
strategy(h, m="dp", n="mp")
strategy(y, m="dp", k="mp")
place(w1, layout("None", "mp"))
z = relu(y)
`;

/**
 * Source files whose functions run while a ten-line text is compiled. They are found by V8's
 * precise coverage of this bundle, which marks the origin of each file.
 */
export function executed(): Executed {
  const url = import.meta.url;
  const regions = regionsOf(readFileSync(fileURLToPath(url), "utf8"));
  const ran = coverageOf(url, () => compile(tenLines)).filter(({ ranges: [whole] }) => {
    return whole !== undefined && whole.count > 0;
  });
  const files = ran.flatMap(({ ranges: [whole] }) => {
    const at = whole?.startOffset ?? 0;
    return regions.find(({ from, to }) => from <= at && at < to)?.file ?? [];
  });
  return { files: [...new Set(files)].sort(), functions: files.length };
}

/** Functions of a script called during `run`, with counts. */
function coverageOf(url: string, run: () => void): readonly Profiler.FunctionCoverage[] {
  const session = new Session();
  session.connect();
  let found: readonly Profiler.FunctionCoverage[] = [];
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  run();
  session.post("Profiler.takePreciseCoverage", (fault, { result }) => {
    if (fault !== null) throw fault;
    found = result.find((script) => script.url === url)?.functions ?? [];
  });
  session.disconnect();
  return found;
}

interface Region {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/** Range of each source file in a bundle: it follows a comment with its path. */
function regionsOf(bundle: string): readonly Region[] {
  const heads = [...bundle.matchAll(/^\/\/ (\S+\.[cm]?[jt]sx?)$/gm)];
  const regions = heads.map(({ index, 1: file = "" }, at) => {
    return { file, from: index, to: heads[at + 1]?.index ?? bundle.length };
  });
  return regions.filter(({ file }) => file.startsWith("src/"));
}
