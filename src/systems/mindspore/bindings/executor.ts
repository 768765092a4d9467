import { hostFunction, none } from "#language/document/bindings/values";
import type { HostType, Value } from "#language/python";

/**
 * Makes an unknown value for the compiler's answers about a compiled net, which are not computed
 * here.
 */
type Assumed = (name: string) => Value;

/**
 * `_cell_graph_executor`: `compile(net, x, …)` compiles the net as its call would, so it is read as
 * that call (`mindspore.common.api`; its other arguments are keywords).
 */
export function executorWord(name: string, assumed: Assumed): Value | undefined {
  const executor: HostType = {
    name: "_CellGraphExecutor",
    attribute: (_, attribute) => (attribute === "compile" ? compileWord : assumed(attribute)),
    text: () => "_CellGraphExecutor",
  };
  const instance = { kind: "host", type: executor, data: undefined } as const;
  switch (name) {
    case "_cell_graph_executor":
    case "_executor":
      return instance;
    case "_CellGraphExecutor":
    case "_Executor":
      return hostFunction(name, () => instance);
    default:
      return undefined;
  }
}

const compileWord = hostFunction("compile", ([net, ...inputs], context, span) =>
  net === undefined
    ? none
    : context.call(
        net.value,
        inputs.filter(({ name }) => name === undefined),
        span,
      ),
);
