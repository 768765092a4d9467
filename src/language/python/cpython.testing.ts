import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";

/** CPython's result of a program: printed output, and the kind of exception that ended it. */
export interface CpythonAnswer {
  readonly output: string;
  readonly raised: string | null;
}

/** Value of `raised` for a program that a time or memory limit ended. */
export const beyondLimits = "beyond limits";

const runner = `
import contextlib, io, json, resource, signal, sys, warnings
warnings.simplefilter("ignore")
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
class Late(BaseException): pass
def stop(*_): raise Late()
signal.signal(signal.SIGALRM, stop)
def answer(program):
    printed, raised = io.StringIO(), None
    signal.setitimer(signal.ITIMER_REAL, 2)
    try:
        code = compile(program, "<program>", "exec")
        with contextlib.redirect_stdout(printed):
            exec(code, {"__name__": "__main__"})
    except (Late, MemoryError, RecursionError):
        raised = "${beyondLimits}"
    except BaseException as fault:
        raised = type(fault).__name__
    signal.setitimer(signal.ITIMER_REAL, 0)
    return {"output": printed.getvalue(), "raised": raised}
json.dump([answer(program) for program in json.load(sys.stdin)], sys.stdout)
`;

/** Runs programs with the machine's `python3`; `undefined` when it is missing or unsuitable. */
export function askCpython(programs: readonly string[]): readonly CpythonAnswer[] | undefined {
  const input = JSON.stringify(programs);
  const { status, stdout } = spawnSync("python3", ["-I", "-c", runner], {
    input,
    encoding: "utf8",
    timeout: 300_000,
    maxBuffer: 1 << 28,
  });
  return status === 0 ? (JSON.parse(stdout) as readonly CpythonAnswer[]) : undefined;
}

/** Answer with memory addresses removed, since they differ from run to run. */
export function plain({ output, raised }: CpythonAnswer): CpythonAnswer {
  return { output: output.replace(/ at 0x[0-9a-f]+/g, ""), raised };
}

/** Short digest of an answer, so that thousands of them fit into a small file. */
export function digestOf(answer: CpythonAnswer): string {
  const { output, raised } = plain(answer);
  return createHash("sha256")
    .update(JSON.stringify([output, raised]))
    .digest("hex")
    .slice(0, 10);
}
