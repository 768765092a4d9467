import { readFileSync } from "node:fs";
import { type Profiler, Session } from "node:inspector";
import { fileURLToPath } from "node:url";
import { compile } from "#compile";

/** The files and functions of the product's own code that one compile executes. */
export interface Executed {
  readonly files: readonly string[];
  readonly functions: number;
}

/** The most functions that a reader has to follow to know what happens to a short text. */
export const executedAim = 110;

/** Two matmuls with strategies and a placement, in ten lines. */
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
 * The files whose functions run while a text of ten lines is compiled, by V8's precise coverage of
 * this bundle, which says before each file where it came from.
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

/** The functions of a script that are called meanwhile, with how often. */
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

/** Where the code of each source file stands in a bundle: behind a comment with its path. */
function regionsOf(bundle: string): readonly Region[] {
  const heads = [...bundle.matchAll(/^\/\/ (\S+\.[cm]?[jt]sx?)$/gm)];
  const regions = heads.map(({ index, 1: file = "" }, at) => {
    return { file, from: index, to: heads[at + 1]?.index ?? bundle.length };
  });
  return regions.filter(({ file }) => file.startsWith("src/"));
}
