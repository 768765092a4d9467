// One door for every command of package.json. Plain JavaScript and built-ins only, since it runs
// before anything is installed.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";

const root = dirname(fileURLToPath(import.meta.url));
const cache = join(root, "node_modules", ".cache", "shardboard");
const systemChromium = "/usr/bin/chromium";
/** Where journeys without WebGPU are quicker; they do without it. */
const headlessShell = "/usr/bin/chromium-headless-shell";
/** Where `npm start` serves; the next free port where something else is served there. */
const usualPort = 4173;
const commands = {
  ...{ start, cli, test, quick, bench, soak, goldens, foreign, silent },
  ...{ proofs, engines },
};

/** The app, built when something is newer than the last build, and served until it is stopped. */
async function start() {
  install();
  const server = await served({ open: false, port: usualPort });
  const address = server.resolvedUrls?.local[0] ?? "";
  const isTaken = address !== "" && new URL(address).port !== String(usualPort);
  const why = isTaken ? `port ${usualPort} is taken, so ` : "";
  console.log(`${why}Shardboard is at ${address} (Ctrl+C stops it)`);
}

/** A server of the app as it is built now; in the tests, which have it built, as it is there. */
async function served(options) {
  const tested = process.env.E2E_FOLDER;
  if (tested === undefined) buildApp();
  const { preview } = await import("vite");
  const outDir = tested ?? "dist";
  return preview({ root, logLevel: "warn", build: { outDir }, preview: options });
}

/** Builds the app unless it is built as it is now. */
function buildApp() {
  const stamp = join(cache, "built");
  const sources = fingerprint([
    "src",
    "public",
    "catalogue",
    "serving",
    "late",
    "index.html",
    "diagnostics.html",
    "vite.config.ts",
  ]);
  if (readOr(stamp, "") === sources && existsSync(join(root, "dist", "index.html"))) return;
  if (run("build", "vite", ["build"]) !== 0) process.exit(1);
  writeFileSync(stamp, sources);
}

/** The command line, from a bundle. */
async function cli(args) {
  install();
  const bundle = await bundled("cli", "src/cli/main.ts", "src/cli/answering.ts").catch((error) => {
    console.error(`the command line could not be built: ${error.message}`);
    process.exit(1);
  });
  process.argv = [process.execPath, bundle, ...args];
  await import(pathToFileURL(bundle).href);
}

/**
 * Timings against their aims; `--check` fails beyond twice an aim. Names of suites
 * time these alone: `npm run bench large`; `gpu` is only run by its name.
 */
async function bench(args) {
  install();
  const known = JSON.parse(readFileSync(join(root, "bench", "suites.json"), "utf8"));
  const unknown = args.filter((arg) => !arg.startsWith("--") && !known.includes(arg));
  if (unknown.length > 0) {
    console.error(`bench: there is no suite ${unknown.join(", ")}, but ${known.join(", ")}`);
    process.exit(1);
  }
  if (args.includes("gpu")) {
    process.exitCode = await gpuBench(args.filter((arg) => arg !== "gpu"));
    if (args.every((arg) => arg === "gpu" || arg.startsWith("--"))) return;
  }
  if (args.every((arg) => arg.startsWith("--"))) {
    const bundle = await bundled("bench", "bench/main.ts");
    process.argv = [process.execPath, bundle, ...args];
    await import(pathToFileURL(bundle).href);
  }
  if (existsSync(systemChromium)) await browserBench(args);
  else console.log("browser: there is no Chromium, so nothing is timed in one");
}

/**
 * Times kernels in Node on Dawn, which finds adapters through Vulkan: a driver of this machine, or
 * the one in software that comes with Chromium. Both are looked for when a process starts.
 */
async function gpuBench(args) {
  const bundle = await bundled("bench-gpu", "bench/gpu/main.ts");
  const status = await gpuBenchOn({}, bundle, args);
  const software = vulkanOfChromium();
  const isOver = status !== noAdapter || software === undefined;
  return isOver ? status : gpuBenchOn(software, bundle, args);
}

async function gpuBenchOn(environment, bundle, args) {
  const env = { ...process.env, ...environment };
  const running = spawn(process.execPath, [bundle, ...args], { cwd: root, stdio: "inherit", env });
  return (await statusOf(running, console.error)) ?? 1;
}

/** The status by which a benchmark of kernels says that it found no adapter. */
const noAdapter = 3;

/** Where Chromium keeps Vulkan's loader and its driver in software. */
function vulkanOfChromium() {
  const candidates = [dirname(realpathOr(systemChromium)), "/usr/lib/chromium"];
  const found = candidates.find((each) => existsSync(join(each, "vk_swiftshader_icd.json")));
  if (found === undefined) return undefined;
  return { LD_LIBRARY_PATH: found, VK_ICD_FILENAMES: join(found, "vk_swiftshader_icd.json") };
}

function realpathOr(path) {
  return existsSync(path) ? realpathSync(path) : path;
}

/** Times what a person waits for, in Chromium and on the built app. */
async function browserBench(args) {
  const server = await served({ open: false, port: 4199 });
  const kernels = await servedKernels();
  const bundle = await bundled("bench-browser", "bench/browser.ts");
  const addresses = [server, kernels].map(({ resolvedUrls }) => resolvedUrls?.local[0] ?? "");
  process.argv = [process.execPath, bundle, ...addresses, ...args];
  try {
    await import(pathToFileURL(bundle).href);
  } finally {
    await server.close();
    await kernels.close();
  }
}

/** A server of the page that times kernels beside those of others, which are in no other build. */
async function servedKernels() {
  const { build, preview } = await import("vite");
  const folder = join(cache, "kernels");
  const common = { root: join(root, "bench", "kernels"), configFile: false };
  const output = { outDir: folder, emptyOutDir: true, target: "es2023", assetsInlineLimit: 0 };
  await build({ ...common, base: "./", logLevel: "error", build: output });
  const { outDir } = output;
  return preview({ ...common, logLevel: "warn", build: { outDir }, preview: { port: 4198 } });
}

/**
 * The long versions of the tests, then a million requests that are nearly sound. With numbers, only
 * so many of those, from one on: `npm run soak 20000 1000000`.
 */
async function soak(args) {
  install();
  const failed = args.length === 0 ? run("soak", "vitest", ["run"], { SOAK: "1" }) : 0;
  const bundle = await bundled("soak", "bench/soak.ts", "src/cli/answering.ts");
  process.argv = [process.execPath, bundle, ...args];
  await import(pathToFileURL(bundle).href);
  if (failed !== 0) process.exitCode = failed;
}

/** What is said of texts, written into a folder: see bench/goldens.ts. */
async function goldens(args) {
  install();
  const bundle = await bundled("goldens", "bench/goldens.ts");
  process.argv = [process.execPath, bundle, ...args];
  await import(pathToFileURL(bundle).href);
}

/** Programs with recorded answers of the real systems: which differ from them without a word. */
async function silent(args) {
  install();
  const bundle = await bundled("silent", "bench/silent.ts");
  process.argv = [process.execPath, bundle, ...args];
  await import(pathToFileURL(bundle).href);
}

/**
 * The gallery and given programs run beside unsharded ones, then with faults: see bench/proofs.ts.
 * `npm run proofs random 500`: so many random programs on the CPU and on WebGPU in Chromium.
 */
async function proofs(args) {
  install();
  if (args[0] === "random") return randomProofs(args.slice(1));
  const bundle = await bundled("proofs", "bench/proofs.ts", "bench/prove-program.ts");
  process.argv = [process.execPath, bundle, ...args];
  await import(pathToFileURL(bundle).href);
}

/** Random programs in a page of Chromium on its adapter in software: see bench/random/. */
async function randomProofs(args) {
  const { build, preview } = await import("vite");
  const folder = join(cache, "random");
  const common = { root: join(root, "bench", "random"), configFile: false };
  const output = { outDir: folder, emptyOutDir: true, target: "es2023" };
  await build({ ...common, base: "./", logLevel: "error", build: output });
  const port = await freePort();
  const server = await preview({
    ...common,
    logLevel: "warn",
    build: { outDir: folder },
    preview: { port },
  });
  const bundle = await bundled("random-programs", "bench/random/main.ts");
  process.argv = [process.execPath, bundle, server.resolvedUrls?.local[0] ?? "", ...args];
  try {
    await import(pathToFileURL(bundle).href);
  } finally {
    await server.close();
  }
}

/** Other people's programs, in the folder that `PROGRAMS` names, against the reference. */
async function foreign(args) {
  install();
  const bundle = await bundled("foreign", "bench/foreign.ts");
  process.argv = [process.execPath, bundle, ...args];
  await import(pathToFileURL(bundle).href);
}

/**
 * The examples as code of JAX, PyTorch and DTensor, run by those on host devices, in a Python
 * environment of its own or that of the interpreter that `PYTHON` names: `npm run engines zero fsdp`
 * runs two, `npm run engines dtensor` runs all on one engine, `npm run engines random 200` random
 * programs, `npm run engines models` families of `transformers`, traced (`models small llama`: one). `npm run engines mindspore` asks MindSpore's compiler instead, `npm run
 * engines nnscaler` what nnScaler generates; neither needs a card.
 */
async function engines(args) {
  install();
  const compiler = Object.keys(compilers).find((each) => args.includes(each));
  const python = process.env.PYTHON ?? (compiler ? pythonOf(compiler) : pythonWithEngines());
  const bundle = await bundled("engines", "bench/engines/main.ts");
  const isTrace = args.includes("trace");
  if (isTrace || args.length === 0) {
    const tests = ["-m", "unittest", "discover", "-s", "python/tests", "-p", "engine_*.py"];
    const { status } = spawnSync(python, tests, { cwd: root, stdio: "inherit" });
    if (isTrace) process.exit(status ?? 1);
    if (status !== 0) process.exitCode = 1;
  }
  if (args[0] === "models") {
    const traced = await bundled("traced-models", "bench/traced-models.ts");
    const folder = process.env.TRACED ?? mkdtempSync(join(cache, "traced-models-"));
    process.argv = [process.execPath, traced, python, folder, ...args.slice(1)];
    process.chdir(root);
    await import(pathToFileURL(traced).href);
    return;
  }
  // A folder for each run: two at once must not write into each other's code.
  const code = mkdtempSync(join(cache, "engines-code-"));
  process.argv = [process.execPath, bundle, python, code, ...args];
  process.chdir(root);
  await import(pathToFileURL(bundle).href);
}

/** A Python with JAX and PyTorch. */
function pythonWithEngines() {
  const python = pythonWith("python", "requirements.txt");
  if (python !== undefined) return python;
  console.error("JAX and PyTorch could not be installed: is there a Python with venv and pip?");
  process.exit(1);
}

/** Systems whose compiler is asked; their packages are there for few other systems only. */
const compilers = {
  mindspore: "MindSpore 2.10 does not install here, so its compiler is not asked",
  nnscaler: "what nnScaler 0.8 needs does not install here, so it generates nothing",
};

/** A Python with one of the compilers. */
function pythonOf(compiler) {
  const hasSource = compiler !== "nnscaler" || nnscalerSource();
  const python = hasSource && pythonWith(`python-${compiler}`, `requirements-${compiler}.txt`);
  if (python) return python;
  console.log(`skipped: ${compilers[compiler]}`);
  process.exit(0);
}

/** The sources of nnScaler 0.8, which is in no registry: on `PYTHONPATH`, or fetched. */
function nnscalerSource() {
  const given = (process.env.PYTHONPATH ?? "").split(delimiter);
  if (given.some((folder) => folder !== "" && existsSync(join(folder, "nnscaler")))) return true;
  const folder = join(cache, "nnscaler");
  const git = (...args) => spawnSync("git", args, { stdio: "inherit" }).status === 0;
  const commit = "1585c15d";
  const isThere = existsSync(join(folder, "nnscaler")) || git("clone", nnscalerHome, folder);
  if (!isThere || !git("-C", folder, "checkout", "--quiet", commit)) return false;
  process.env.PYTHONPATH = [folder, ...given].join(delimiter);
  return true;
}

const nnscalerHome = "https://github.com/microsoft/nnscaler";

/** A Python that has what is required, installed when that has changed; undefined where it fails. */
function pythonWith(name, requirements) {
  const folder = join(cache, name);
  const python = join(folder, "bin", "python");
  const wanted = readFileSync(join(root, "engines", requirements), "utf8");
  const stamp = join(folder, "installed");
  if (readOr(stamp, "") === wanted) return python;
  const isMade =
    spawnSync("python3", ["-m", "venv", "--clear", folder], { stdio: "inherit" }).status === 0;
  const args = ["-m", "pip", "install", "--quiet", "-r", join("engines", requirements)];
  if (!isMade || spawnSync(python, args, { cwd: root, stdio: "inherit" }).status !== 0)
    return undefined;
  writeFileSync(stamp, wanted);
  return python;
}

/**
 * Every gate, each also when an earlier one failed; ends with one line of counts. Types take one
 * core, so the other gates of one core run beside them, and unit tests begin with the first core
 * that is idle; browser tests take all cores and have them for themselves.
 */
async function test() {
  install();
  const chromium = installChromium();
  // A folder and a port of its own: what `npm start` serves meanwhile stays as it is.
  const tested = join(cache, "tested");
  const lanes = [
    inTurn([gate("types", "tsc", ["-b"])]),
    inTurn([
      gate("lint", "biome", ["ci", "--max-diagnostics=100"]),
      gate("unused code", "knip", []),
      gate("code that only tests use", "knip", ["--production"]),
      gate("build", "vite", ["build", "--outDir", tested, "--emptyOutDir"]),
      pythonTests,
    ]),
  ];
  await Promise.race(lanes);
  const unit = await unitTests();
  const gates = await Promise.all(lanes);
  const counts = [
    ...gates.flat(),
    unit,
    browserTests(chromium, { E2E_FOLDER: tested, E2E_PORT: String(await freePort()) }),
  ];
  finish(counts);
}

/** The tests of the Python package that need no framework. */
async function pythonTests() {
  if (spawnSync("python3", ["--version"]).status !== 0) {
    console.log("skipped: there is no python3, so the Python package is not tested");
    return { passed: 0, failed: 0, said: [] };
  }
  return gate("Python package", "python3", ["-m", "unittest", "discover", "-s", "python/tests"])();
}

/**
 * What a person runs after each change, in less than a minute: types, lint, the tests of the whole
 * house (`src/*.test.ts`: who imports whom, the catalogue of diagnostics, the reference), and those
 * that lie in the folders of changed files. Changed is what differs from the last commit, or from where
 * a branch that is named left this one; of a tree without changes, the last commit itself.
 */
async function quick([base]) {
  install();
  const folders = foldersOf(changedSince(base));
  const lanes = [
    inTurn([gate("types", "tsc", ["-b"])]),
    inTurn([gate("lint", "biome", ["ci", "--max-diagnostics=100"])]),
  ];
  await Promise.race(lanes);
  const unit = await unitTests(["--project", "unit", ...quickTests(["src", ...folders])]);
  const near = folders.length === 0 ? "no folder" : folders.join(", ");
  console.log(
    `\ntested: types, lint, the whole house, and what lies in ${near}; not all: npm test`,
  );
  finish([...(await Promise.all(lanes)).flat(), unit]);
}

/** The files that differ from a branch, or from the last commit; all of them below this folder. */
function changedSince(base) {
  const git = (...args) => spawnSync("git", args, { cwd: root, encoding: "utf8" });
  const linesOf = (...args) =>
    git(...args)
      .stdout?.split("\n")
      .filter((line) => line !== "") ?? [];
  const since = base === undefined ? "HEAD" : git("merge-base", base, "HEAD").stdout.trim();
  if (since === "") {
    console.error(`quick: there is no branch ${base}`);
    process.exit(1);
  }
  const differing = linesOf("diff", "--name-only", "--relative", since);
  const changed = [...differing, ...linesOf("ls-files", "--others", "--exclude-standard")];
  return changed.length > 0 ? changed : linesOf("diff", "--name-only", "--relative", "HEAD~1");
}

/** The folders of files, each once; those below src, which have the tests, and no others. */
function foldersOf(files) {
  const folders = files.map((file) => dirname(file)).filter((folder) => folder.startsWith("src/"));
  return [...new Set(folders)].sort();
}

/** The tests that lie in folders, but for those that take a minute each or need a GPU. */
function quickTests(folders) {
  const long = new Set(JSON.parse(readFileSync(join(root, "src", "long-tests.json"), "utf8")));
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((file) => /(?<!\.gpu)\.test\.ts$/.test(file) && !long.has(file));
}

/** Says what came of all, and ends. */
function finish(counts) {
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const failed = counts.reduce((sum, count) => sum + count.failed, 0);
  // Here too, since of a long log often the end alone is read.
  const said = counts.flatMap((count) => count.said);
  if (said.length > 0) console.log(`\n${said.join("\n")}`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

function gate(title, tool, args) {
  return async () =>
    (await runBeside(title, tool, args)) === 0
      ? { passed: 1, failed: 0, said: [] }
      : { passed: 0, failed: 1, said: [`failed: ${title}`] };
}

/** What tasks return that run one after another. */
async function inTurn(tasks) {
  const results = [];
  for (const task of tasks) results.push(await task());
  return results;
}

async function unitTests(chosen = []) {
  const report = join(cache, "vitest.json");
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const status = await runOpenly("unit tests", "vitest", ["run", ...reporters, ...chosen]);
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = jsonIn(report);
  const said = testResults.flatMap(unitFailures);
  return counted("unit tests", status, { passed: numPassedTests, failed: numFailedTests, said });
}

/** A port that nothing listens on. */
async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, "localhost", resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function browserTests(chromium, served) {
  if (!chromium) {
    const said = "browser tests: there is no Chromium and none could be installed";
    return { passed: 0, failed: 1, said: [said] };
  }
  const report = join(cache, "playwright.json");
  rmSync(report, { force: true });
  const environment = { ...served, PLAYWRIGHT_JSON_OUTPUT_NAME: report };
  const status = run("browser tests", "playwright", ["test", "--reporter=list,json"], environment);
  const { stats = {}, suites = [], errors = [] } = jsonIn(report);
  const { expected = 0, flaky = 0, unexpected = 0 } = stats;
  const outside = errors.map(({ message }) => failureLine("browser tests", message));
  const said = [...outside, ...suites.flatMap(browserFailures)];
  return counted("browser tests", status, { passed: expected + flaky, failed: unexpected, said });
}

/** A run that did not fail by one of its tests (a file that does not load) counts as one. */
function counted(title, status, { passed, failed, said }) {
  if (status === 0 || failed > 0) return { passed, failed, said };
  return { passed, failed: 1, said: [...said, `failed: ${title}`] };
}

/** The failed tests of a file in Vitest's report, and what keeps the file from loading. */
function unitFailures({ name, status, message, assertionResults }) {
  const file = relative(root, name);
  const failing = assertionResults.filter((test) => test.status === "failed");
  if (failing.length === 0 && status === "failed") return [failureLine(file, message)];
  return failing.map(({ fullName, failureMessages: [first] }) => {
    // Vitest reports so what ran out of time.
    const said = first?.replace("Error: STACK_TRACE_ERROR", "timed out");
    return failureLine(`${file} › ${fullName}`, said);
  });
}

/** The failed and the flaky tests of a suite in Playwright's report. */
function browserFailures({ suites = [], specs = [] }) {
  const found = specs.flatMap(({ file, line, title, tests }) =>
    tests.flatMap(({ status, results }) => {
      if (status !== "unexpected" && status !== "flaky") return [];
      const error = results.flatMap((result) => result.errors ?? []).at(0);
      const kind = status === "flaky" ? "flaky" : "failed";
      return [failureLine(`e2e/${file}:${line} › ${title}`, error?.message, kind)];
    }),
  );
  return [...found, ...suites.flatMap(browserFailures)];
}

/** Where something failed, and the first line of what was said of it, without colours. */
function failureLine(place, message = "", kind = "failed") {
  const [first = ""] = stripVTControlCharacters(message).trim().split("\n");
  return `${kind}: ${place}${first === "" ? "" : `: ${first.slice(0, 200)}`}`;
}

function jsonIn(path) {
  return JSON.parse(readOr(path, "{}"));
}

/** Runs a tool of node_modules and says how long it took. Returns its exit status. */
function run(title, tool, args, environment = {}) {
  console.log(`\n— ${title}`);
  const started = performance.now();
  const env = { ...process.env, ...environment };
  const { status } = spawnSync(pathOf(tool), args, { cwd: root, stdio: "inherit", env });
  console.log(outcomeLine(title, status, started));
  return status ?? 1;
}

/** The same beside others: what the tool says is printed in one piece when it ends. */
async function runBeside(title, tool, args) {
  const started = performance.now();
  // A tool that writes into a pipe would leave out its colours.
  const colours = process.stdout.isTTY && !("NO_COLOR" in process.env) ? { FORCE_COLOR: "1" } : {};
  const env = { ...process.env, ...colours };
  const running = spawn(pathOf(tool), args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], env });
  const output = [];
  for (const stream of [running.stdout, running.stderr]) {
    stream.on("data", (piece) => output.push(piece));
  }
  const status = await statusOf(running, (message) => output.push(Buffer.from(`${message}\n`)));
  console.log(`\n— ${title}`);
  process.stdout.write(Buffer.concat(output));
  console.log(outcomeLine(title, status, started));
  return status ?? 1;
}

/** The same for a tool that takes long: what it says is printed at once, between that of others. */
async function runOpenly(title, tool, args) {
  console.log(`\n— ${title}`);
  const started = performance.now();
  const status = await statusOf(
    spawn(pathOf(tool), args, { cwd: root, stdio: "inherit" }),
    console.error,
  );
  console.log(outcomeLine(title, status, started));
  return status ?? 1;
}

/** The exit status of a process when it has ended; null, and why, where it could not be started. */
function statusOf(running, say) {
  return new Promise((resolve) => {
    running.once("error", ({ message }) => {
      say(message);
      resolve(null);
    });
    running.once("close", resolve);
  });
}

function pathOf(tool) {
  return tool === "python3" ? tool : join(root, "node_modules", ".bin", tool);
}

function outcomeLine(title, status, started) {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  return `— ${title}: ${status === 0 ? "passed" : "failed"} in ${seconds} s`;
}

/** Installs packages when the lock file has changed since the last time. Talks on stderr only. */
function install() {
  const stamp = join(cache, "installed");
  const lock = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  const wanted = lock.digest("hex");
  if (readOr(stamp, "") === wanted) return;
  console.error("installing packages…");
  // Not `npm ci`: it refuses a lock file written where only one platform's packages are offered.
  const args = ["install", "--no-save", "--no-audit", "--no-fund"];
  const { status } = spawnSync("npm", args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (status !== 0) {
    console.error("npm install failed: the registry could not be reached, or refused");
    process.exit(1);
  }
  mkdirSync(cache, { recursive: true });
  writeFileSync(stamp, wanted);
}

/** Whether there is a Chromium for the browser tests, installed now if need be. */
function installChromium() {
  if (existsSync(systemChromium) && existsSync(headlessShell)) return true;
  const isRoot = process.getuid?.() === 0;
  const apt = (...args) => spawnSync("apt-get", args, { stdio: "inherit" }).status === 0;
  if (isRoot && apt("update")) {
    apt("install", "-y", "chromium");
    apt("install", "-y", "chromium-headless-shell");
  }
  if (existsSync(systemChromium)) return true;
  return run("install Chromium", "playwright", ["install", "chromium"]) === 0;
}

/**
 * The path of a bundle for Node of one entry, built when a source has changed; code of its threads
 * stands beside it. Several processes may build at once: each builds aside and moves the whole into
 * place.
 */
async function bundled(name, entry, ...threads) {
  const folder = join(cache, name);
  const key = fingerprint(["src", dirname(entry), "package-lock.json"]);
  const file = join(folder, key, "main.js");
  if (existsSync(file)) return file;
  const aside = join(folder, `${key}.${process.pid}`);
  const { build } = await import("vite");
  await build({
    root,
    configFile: false,
    logLevel: "error",
    publicDir: false,
    ssr: { noExternal: true, external: ["@playwright/test", "highs", "webgpu", "onnxruntime-web"] },
    build: {
      ssr: true,
      outDir: aside,
      target: "node20",
      rolldownOptions: {
        input: [entry, ...threads],
        output: {
          entryFileNames: ({ facadeModuleId }) =>
            facadeModuleId === join(root, entry) ? "main.js" : "[name].js",
          chunkFileNames: "[name].js",
          ...(threads.length === 0 && { codeSplitting: false }),
        },
      },
    },
  });
  const outdated = readdirSync(folder).filter((each) => !each.startsWith(key));
  for (const each of outdated) rmSync(join(folder, each), { recursive: true, force: true });
  try {
    renameSync(aside, join(folder, key));
  } catch {
    rmSync(aside, { recursive: true, force: true }); // another process was first
  }
  return file;
}

/** A digest of the names, sizes and times of all files under some paths. */
function fingerprint(paths) {
  const hash = createHash("sha256");
  for (const path of paths) addTo(hash, join(root, path));
  return hash.digest("hex").slice(0, 16);
}

function addTo(hash, path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isDirectory()) {
    for (const name of readdirSync(path).sort()) addTo(hash, join(path, name));
  } else hash.update(`${path} ${stats.size} ${stats.mtimeMs}\n`);
}

function readOr(path, otherwise) {
  return existsSync(path) ? readFileSync(path, "utf8") : otherwise;
}

const [command = "start", ...args] = process.argv.slice(2);
if (Object.hasOwn(commands, command)) await commands[command](args);
else {
  console.error(`launch.mjs: there are ${Object.keys(commands).join(", ")}`);
  process.exit(1);
}
