import {
  bindCall,
  type CallShapes,
  type DType,
  type LibraryEntry,
  type Operand,
  type Operator,
  operatorId,
  type Tensor,
  type TensorId,
  tensorId,
} from "#core/ir";
import { type LocalOperator, wholeOperator } from "./local-operator.ts";

/** A call of a library entry as one device runs it; tensors are f32 unless said. */
export function entryOperator(
  entry: LibraryEntry,
  call: CallShapes,
  dtype: DType = "f32",
): LocalOperator {
  const bound = bindCall(entry, call);
  if (!bound.ok) throw new Error(`${entry.name}: ${bound.diagnostics[0]?.message}`);
  const { call: body, bound: binding } = bound.value;
  const tensors = new Map<TensorId, Tensor>();
  const operands = (all: typeof body.inputs, letter: string) =>
    all.flatMap((operand, at): readonly Operand[] => {
      if (operand === undefined) return [];
      const id = tensorId(`${letter}${at}`);
      tensors.set(id, tensorOf(id, operand.shape, dtype));
      return [{ tensor: id, dims: operand.dims }];
    });
  const operator: Operator = {
    id: operatorId(entry.name),
    name: entry.name,
    op: entry.name,
    entry: entry.name,
    attributes: call.attributes,
    call: entry.name,
    annotation: binding.annotation,
    axes: body.axes,
    inputs: operands(body.inputs, "x"),
    outputs: operands(body.outputs, "y"),
    linear: [],
    reducesInside: false,
  };
  return wholeOperator(operator, tensors);
}

function tensorOf(id: TensorId, shape: readonly number[], dtype: DType): Tensor {
  return {
    ...{ id, name: id, shape, dtype, dtypeText: dtype },
    ...{ role: "input", dimNames: [], shapeStatus: "set" },
  };
}
