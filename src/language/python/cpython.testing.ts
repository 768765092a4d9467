import { spawnSync } from "node:child_process";

/** What CPython says of a program: what it printed, and the kind of exception that ended it. */
export interface CpythonAnswer {
  readonly output: string;
  readonly raised: string | null;
}

const runner = `
import contextlib, io, json, sys, warnings
warnings.simplefilter("ignore")
def answer(program):
    printed, raised = io.StringIO(), None
    try:
        code = compile(program, "<program>", "exec")
        with contextlib.redirect_stdout(printed):
            exec(code, {"__name__": "__main__"})
    except BaseException as fault:
        raised = type(fault).__name__
    return {"output": printed.getvalue(), "raised": raised}
json.dump([answer(program) for program in json.load(sys.stdin)], sys.stdout)
`;

/** Runs programs with the machine's `python3`; `undefined` where there is none that will do. */
export function askCpython(programs: readonly string[]): readonly CpythonAnswer[] | undefined {
  const input = JSON.stringify(programs);
  const { status, stdout } = spawnSync("python3", ["-I", "-c", runner], {
    input,
    encoding: "utf8",
    timeout: 120_000,
    maxBuffer: 1 << 28,
  });
  return status === 0 ? (JSON.parse(stdout) as readonly CpythonAnswer[]) : undefined;
}
