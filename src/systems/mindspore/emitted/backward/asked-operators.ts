/** Operators whose gradients were recorded from the compiler of 2.10 (`compiled-steps.json`). */
export const asked: ReadonlySet<string> = new Set(
  [
    "Abs Add AddExt AddScalar ArgMaxWithValue Argmax Atan Atan2 BCEWithLogitsLoss",
    "BatchMatMul BatchMatMulExt BatchNorm BiasAdd BroadcastTo ClampScalar Concat Conv2D Cos",
    "CumSum CumsumExt Div DivNoNan Divs Dropout Elu EluExt Equal Erf Exp ExpandDims",
    "ExpandDimsView Expm1 FastGeLU Flatten Floor Gather GatherD GeLU GeluExt Greater",
    "HSigmoid HSwish IsNan KLDivLoss LayerNorm Lerp Less Log Log1p LogSoftmax MaskedFill",
    "MatMul MatMulExt Maximum MeanExt Minimum Mish Mul Muls NarrowView Neg OneHot PReLU",
    "PadV3 Pow PowTensorScalar ReLU ReLU6 RealDiv Reciprocal ReduceMax ReduceMean ReduceMin",
    "ReduceSum Reshape RmsNorm Rsqrt SeLU Select SiLU Sigmoid Sin Softmax",
    "SoftmaxCrossEntropyWithLogits Softplus SoftplusExt Split Sqrt Square SquaredDifference",
    "Squeeze Stack StackExt StridedSlice Sub SubExt SubScalar SumExt Tanh Tile Transpose",
    "TransposeExtView TransposeView Tril Triu Xdivy",
  ].flatMap((line) => line.split(" ")),
);
