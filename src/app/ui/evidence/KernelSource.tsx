import { kernelRows } from "#app/evidence";
import type { Contributed } from "#app/scene/text";
import type { Compiled } from "#compile";
import { useApp } from "../store-context.tsx";

interface Props {
  readonly compiled: Compiled;
  /** Part of the time: an operator's or a redistribution's. */
  readonly part: Contributed & { readonly key: string };
}

/** Link from an operator's seconds to the measured rows to which its kernels were fitted. */
export function KernelSource({ compiled, part }: Props) {
  const open = useApp((state) => state.openEvidence);
  const operator = compiled.program.graph.operators.find(({ id }) => part.key === `compute ${id}`);
  if (operator === undefined) return null;
  const own = compiled.program.graph.operators.find(({ id }) => id === operator.of) ?? operator;
  const { phase = "forward" } = operator;
  const entry = phase === "update" ? operator.op : (own.entry ?? own.op);
  const { group, words, isOwn } = kernelRows(entry, phase === "forward" || phase === "recompute");
  return (
    <p className="kernel-source" data-testid="kernel-source">
      {!isOwn && "No operator of its kind was measured alone. "}
      <button type="button" className="lk" onClick={() => open({ group, words })}>
        {isOwn ? `Measured rows of ${words}` : "All measured operators"}
      </button>
    </p>
  );
}
