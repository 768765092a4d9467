"""Runs a check over many exported modules, whose engine is imported once:  python check_many.py jax|jax-rules|flax-rules|torch|dtensor|parallelize|mindspore|nnscaler|nnscaler-policy FOLDER...

Each FOLDER holds plan.py and claims.json. Prints one line of JSON per folder: {"folder", "status", "said": last line, "faults": [lines]}.
"""
import json, os, runpy, signal, sys, tempfile
from importlib import import_module

HERE = os.path.dirname(os.path.abspath(__file__))
# With what torch imports once something is run: every process of a check would do it again.
TORCH = ["torch", "torch._dynamo", "torch.fx.experimental.symbolic_shapes", "torch.distributed.tensor.debug", "torch.distributed.tensor.experimental"]
IMPORTED = {"jax": ["jax", "numpy"], "jax_rules": ["jax", "numpy"], "torch": TORCH, "dtensor": TORCH, "parallelize": TORCH, "mindspore": [], "nnscaler": ["nnscaler_generated"]}
CHECKS = {"nnscaler-policy": "nnscaler", "jax-rules": "jax_rules", "flax-rules": "jax_rules"}  # what is checked alike, and what no file can be called
MOST_SECONDS = 300


def run(script, folder, out):
    """In a process of its own: a check may choose how many devices there are, and leaves groups behind."""
    os.dup2(out.fileno(), 1); os.dup2(out.fileno(), 2)
    signal.alarm(MOST_SECONDS)
    os.setpgrp()
    sys.argv = [script, os.path.join(folder, "plan.py"), os.path.join(folder, "claims.json")]
    sys.path.insert(0, HERE)
    try: runpy.run_path(script, run_name="__main__")
    except SystemExit as end: status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        import traceback
        traceback.print_exc(); status = 1
    else: status = 0
    sys.stdout.flush(); os._exit(status)


def main():
    target, folders = CHECKS.get(sys.argv[1], sys.argv[1]), sys.argv[2:]
    for name in IMPORTED[target]: import_module(name)
    for folder in folders:
        with tempfile.TemporaryFile("w+") as out:
            child = os.fork()
            if child == 0: run(os.path.join(HERE, f"check_{target}.py"), folder, out)
            _, ended = os.waitpid(child, 0)
            if os.WIFSIGNALED(ended):   # what it started ends with it
                try: os.killpg(child, signal.SIGKILL)
                except ProcessLookupError: pass
            out.seek(0); lines = out.read().strip().splitlines()
        status = os.waitstatus_to_exitcode(ended)
        counted = [line for line in lines if line.endswith(" failed")]
        said = counted[-1] if counted else f"not finished in {MOST_SECONDS} s" if status == -signal.SIGALRM else lines[-1] if lines else "nothing is said"
        faults = [line for line in lines if line.startswith("FAIL") or "Error" in line] if status else []
        print(json.dumps({"folder": folder, "status": status, "said": said, "faults": faults[:5]}), flush=True)


if __name__ == "__main__":
    main()
