// The data types of torch as a program sees them, and its default one.

import type { Span } from "#core/diagnostics";
import { type DType, parseDType } from "#core/ir";
import { isFloat, promotedPair } from "#core/ir/types";
import { fieldOf } from "#core/records";
import type { TensorBindings } from "#language/document/bindings";
import {
  DTypeValues,
  dtypeOf,
  longDType,
  type Typed,
  typeOfTensorClass,
  type ValueTypes,
} from "#language/document/bindings/types";
import { hostFunction, itemsOf, none } from "#language/document/bindings/values";
import type { Context, Value } from "#language/python";
import { refusedOf } from "./refused-types.ts";
import { shortTypes } from "./torch-names.ts";

/** `torch.float32` and its like, and the functions that ask for data types or set the default. */
export class TorchTypes {
  private readonly values = new DTypeValues((dtype) => `torch.${longDType(dtype)}`);
  private readonly tensors: TensorBindings;
  private readonly words: Readonly<Record<string, Value>>;

  constructor(tensors: TensorBindings) {
    this.tensors = tensors;
    this.words = {
      dtype: this.values.type,
      get_default_dtype: hostFunction("get_default_dtype", () =>
        this.values.object(this.types.defaultFloat),
      ),
      set_default_dtype: hostFunction("set_default_dtype", ([given]) =>
        this.setDefault(given?.value),
      ),
      set_default_tensor_type: hostFunction("set_default_tensor_type", ([given]) =>
        this.setDefault(given?.value),
      ),
      promote_types: hostFunction("promote_types", ([a, b]) => {
        const [one, two] = [dtypeOf(a?.value), dtypeOf(b?.value)];
        return one === undefined || two === undefined
          ? none
          : this.values.object(promotedPair(one, two));
      }),
      result_type: hostFunction("result_type", (args) => {
        const operands = args.map(({ value }) =>
          this.types.operand(value, tensors.tensorOf(value)),
        );
        const [result] = this.types.results([{ kind: "promoted" }], operands);
        return this.values.object(result?.dtype ?? this.types.defaultFloat);
      }),
    };
  }

  private get types(): ValueTypes {
    return this.tensors.types;
  }

  /** From here on `x.dtype` is a data type of torch, and operands of products must have one. */
  begin(): void {
    const { types } = this;
    types.valueOf ??= (dtype) => this.values.object(dtype);
    types.sayRefused ??= (...asked) => this.sayRefused(...asked);
    types.sayMixed ??= (op, dtypes, context, span) => {
      if (span.from < 0) return;
      context.report({
        code: "torch/mixed-dtypes",
        severity: "warning",
        message: `${op} of ${dtypes.join(" and ")}: PyTorch wants one data type for all operands, so cast them; the result is read as ${dtypes[0]}`,
        span,
        upstream: "RuntimeError",
      });
    };
  }

  private sayRefused(
    op: string,
    operands: readonly (Typed | undefined)[],
    context: Context,
    span: Span,
  ): void {
    const wanted = refusedOf(op, operands);
    if (wanted === undefined || span.from < 0) return;
    const given = operands.flatMap((each) => (each?.tensor ? [longDType(each.dtype)] : []));
    context.report({
      code: "torch/wrong-dtype",
      severity: "warning",
      message: `${op} of ${given.join(" and ")}: PyTorch wants ${wanted}, so cast it first`,
      span,
      upstream: "RuntimeError",
    });
  }

  /** A name of torch that is a data type, or a function of data types. */
  word(name: string): Value | undefined {
    const known = Object.hasOwn(this.words, name) ? fieldOf(this.words, name) : undefined;
    if (known !== undefined) return known;
    const dtype = parseDType(fieldOf(shortTypes, name) ?? name);
    return dtype && this.values.object(dtype);
  }

  private setDefault(value: Value | undefined): Value {
    const dtype = value && (dtypeOf(value) ?? typeOfTensorClass(value));
    if (dtype !== undefined) this.types.defaultFloat = dtype;
    return none;
  }
}

/** The data type of data that nobody gives one: of whole numbers int64, of flags bool. */
export function typeOfData(tensors: Tensors, value: Value | undefined): DType {
  const { types } = tensors;
  const found = new Set(typesIn(tensors, value));
  const floats = [...found].filter(isFloat);
  // A tensor among numbers has its own type, and the widest of several counts.
  if (floats.length > 0) return floats.includes("f64") ? "f64" : (floats[0] ?? types.defaultFloat);
  const whole = [...found].find((dtype) => dtype !== "bool");
  if (whole !== undefined) return found.has("i64") ? "i64" : whole;
  return found.has("bool") ? "bool" : types.defaultFloat;
}

/** The data type of one number, which a tensor is taken as. */
export function typeOfNumber(
  tensors: Pick<TensorBindings, "types" | "tensorOf">,
  value: Value | undefined,
): DType {
  const { types } = tensors;
  const tensorOf = (each: Value | undefined) => tensors.tensorOf(each);
  return typeOfData({ types, tensorOf, isScalar: () => true }, value);
}

type Tensors = Pick<TensorBindings, "types" | "tensorOf" | "isScalar">;

function typesIn(tensors: Tensors, value: Value | undefined): readonly DType[] {
  const items = itemsOf(value);
  if (items !== undefined) return items.flatMap((each) => typesIn(tensors, each));
  const tensor = tensors.tensorOf(value);
  if (value?.kind === "int") return ["i64"];
  if (value?.kind === "bool") return ["bool"];
  if (tensor === undefined || value === undefined) return [tensors.types.defaultFloat];
  if (!tensors.isScalar(value) || tensor.dtype === "bool") return [tensor.dtype];
  return [isFloat(tensor.dtype) ? tensors.types.defaultFloat : "i64"];
}

/** The data type of floats of which nothing says it. */
export function defaultType({ defaultFloat: dtype }: ValueTypes): {
  readonly dtype: DType;
  readonly dtypeText: string;
} {
  return { dtype, dtypeText: dtype === "f32" ? dtype : longDType(dtype) };
}
