import { bindArguments, hostFunction, none } from "#language/document/bindings/values";
import { type ClassValue, type HostFunction, hostClass, type Value } from "#language/python";

/** Methods and properties of nodes, tensors, segments and graphs, by nnScaler's names. */
export interface IrAnswers {
  readonly node: Readonly<Record<string, HostFunction["call"]>>;
  readonly nodeProperties: Readonly<Record<string, HostFunction["call"]>>;
  readonly tensor: Readonly<Record<string, HostFunction["call"]>>;
  readonly segment: Readonly<Record<string, HostFunction["call"]>>;
  readonly graph: Readonly<Record<string, HostFunction["call"]>>;
}

/**
 * Classes of nnScaler's intermediate representation that a policy can test nodes and tensors for.
 */
export type IrClasses = Readonly<Record<IrName, ClassValue>>;

export type IrName =
  | "IRObject"
  | "IRTensor"
  | "IRFullTensor"
  | "IRSubTensor"
  | "IRCell"
  | "IRFwOperation"
  | "IRDimops"
  | "IRPyFunc"
  | "IRGraphAnchor"
  | "IRBpOperation"
  | "IRDataOperation"
  | "IRAdapter"
  | "IRWeightReducer"
  | "IRSegment"
  | "IRGraph";

/** nnScaler's classes with their inheritance (`nnscaler/ir`, `nnscaler/graph`, release 0.8). */
export function irClasses(answers: IrAnswers): IrClasses {
  const IRObject = hostClass("IRObject", answers.tensor);
  const IRTensor = hostClass("IRTensor", {}, [IRObject]);
  const IRCell = hostClass("IRCell", {
    ...answers.node,
    ...propertiesOf(answers.nodeProperties),
    get_objects_from_complex: { kind: "staticmethod", callee: objectsIn },
  });
  const IRFwOperation = hostClass("IRFwOperation", {}, [IRCell]);
  const IRSegment = hostClass("IRSegment", answers.segment, [IRCell]);
  const cell = (name: string) => hostClass(name, {}, [IRCell]);
  const forward = (name: string) => hostClass(name, {}, [IRFwOperation]);
  return {
    ...{ IRObject, IRTensor, IRCell, IRFwOperation, IRSegment },
    IRFullTensor: hostClass("IRFullTensor", {}, [IRTensor]),
    IRSubTensor: hostClass("IRSubTensor", {}, [IRTensor]),
    IRDimops: forward("IRDimops"),
    IRPyFunc: forward("IRPyFunc"),
    IRGraphAnchor: forward("IRGraphAnchor"),
    IRBpOperation: cell("IRBpOperation"),
    IRDataOperation: cell("IRDataOperation"),
    IRAdapter: cell("IRAdapter"),
    IRWeightReducer: cell("IRWeightReducer"),
    IRGraph: hostClass("IRGraph", answers.graph, [IRSegment]),
  };
}

function propertiesOf(
  properties: Readonly<Record<string, HostFunction["call"]>>,
): Readonly<Record<string, { readonly kind: "property"; readonly get: Value }>> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, call]) => [
      name,
      { kind: "property" as const, get: hostFunction(name, call) },
    ]),
  );
}

/** `IRCell.get_objects_from_complex(value)`: the objects in nested lists, tuples and dicts. */
const objectsIn = hostFunction("get_objects_from_complex", (args) => {
  const { bound } = bindArguments(["val"], args);
  return { kind: "list", items: flattened(bound.get("val")?.value ?? none) };
});

function flattened(value: Value): Value[] {
  if (value.kind === "list" || value.kind === "tuple") return value.items.flatMap(flattened);
  if (value.kind === "dict") {
    return [...value.entries.values()].flatMap((entry) => flattened(entry.value));
  }
  return value.kind === "instance" ? [value] : [];
}
